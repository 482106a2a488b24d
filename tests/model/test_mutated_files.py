"""Model files with wrong values and right checksums: refused, or sound enough for all that can be asked."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mutants

N_MUTANTS = 5000 if os.environ.get("TREEWRIGHT_TORTURE") else 40  # of each section

# What takes a process of its own to start is shared by a few sections.
PARTS = {
    "tree": ("tree", "surrogates"),
    "grown tree": ("grown", "pruning", "factors"),
    "ledgers": ("ledger", "ledger of the grown tree"),
    "the rest": ("table", "estimator", "provenance"),
}


def test_every_section_is_mutated():
    assert {name for names in PARTS.values() for name in names} == set(mutants.SECTIONS)
    assert all(mutants.models_with(section) for section in mutants.SECTIONS)


@pytest.mark.parametrize("sections", PARTS.values(), ids=PARTS)
def test_no_mutant_crashes_whoever_loads_and_uses_it(sections):
    """In a process of its own: one that crashes is a test that fails, and not the end of all tests."""
    program = Path(mutants.__file__)
    asked = [",".join(sections), "0", str(N_MUTANTS)]
    ran = subprocess.run([sys.executable, str(program), *asked], capture_output=True, text=True, check=False)
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 0, f"{told[-1:]} ended the process: {ran.returncode}\n{ran.stderr[-3000:]}"
    assert [line for line in told if "fault" in line] == []
    totals = [line for line in told if "loaded" in line]
    assert [line["mutants"] for line in totals] == [N_MUTANTS] * len(sections)
    # Damage is so small now and then that what it leaves is sound: only then is anything used.
    assert all(0 < line["loaded"] < N_MUTANTS for line in totals)
