"""Treewright beside its own past: what asv times from commit to commit; see ``benchmarks/README.md``."""
