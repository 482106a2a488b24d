"""What all tests share: where the reference data lie."""

from pathlib import Path

import pytest

from tiers import pytest_addoption, pytest_collection_modifyitems, pytest_configure

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_configure"]

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of reference data beside the repository, or skip."""
    if not SHARED.is_dir():
        pytest.skip(f"the reference data are not at {SHARED}")
    return SHARED


@pytest.fixture
def eight_threads(monkeypatch) -> None:
    """Let up to eight threads run, whatever the machine has."""
    monkeypatch.setenv("TREEWRIGHT_THREADS", "8")
