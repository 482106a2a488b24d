"""Treewright beside other libraries: CPU time, memory and quality of one tree.

Run with ``python -m benchmarks.compare``; see ``benchmarks/README.md``.
"""
