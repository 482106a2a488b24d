"""What all tests share: where the reference data lie, engines, a browser."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from oracle_engine import OracleEngine
from tiers import pytest_addoption, pytest_collection_modifyitems, pytest_configure
from treewright.engines.local import LocalEngine

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_configure"]

# Commands print in the language of the environment, and the tests read English.
if any(os.environ.get(name, "").startswith("zh") for name in ("LC_ALL", "LC_MESSAGES", "LANG")):
    os.environ["LC_ALL"] = "C.UTF-8"

# A shell starts background jobs with interrupts ignored, which processes that tests interrupt would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SHARED = Path(__file__).resolve().parents[2] / "shared"

# Each runs the tests of the contract, tests/engines/test_contract.py; another engine is another line.
ENGINES = {"local": LocalEngine, "oracle": OracleEngine}


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


@pytest.fixture(params=ENGINES)
def engine(request):
    """Give each engine in turn."""
    return ENGINES[request.param]()


@pytest.fixture(scope="session")
def browser():
    """Start Chromium once, or skip."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install -e .[test]"
    )
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here: make browser")
    with playwright.sync_playwright() as started:
        # A root of a container has no sandbox to be put in; the page is ours.
        browser = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()
