"""A browser for the pages of reports."""

import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
VIEWPORT = {"width": 1280, "height": 900}


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


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Give a place for pages."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="session")
def plain_context(browser):
    """Give one window for all pages that ask for nothing special; reports keep nothing."""
    context = browser.new_context(viewport=VIEWPORT)
    yield context
    context.close()


@pytest.fixture
def opened(browser, plain_context):
    """Give a function that opens a file; in the end no network was asked and nothing complained of."""
    closed, troubles = [], []

    def open_file(file, **options):
        context = browser.new_context(**({"viewport": VIEWPORT} | options)) if options else plain_context
        page = context.new_page()
        closed.append(context if options else page)
        page.set_default_timeout(60_000)
        page.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        own = file.as_uri()
        page.on("request", lambda request: request.url == own or troubles.append(f"request: {request.url}"))
        page.goto(own)
        page.wait_for_selector(".box")
        return page

    yield open_file
    for each in closed:
        each.close()
    assert [each for each in troubles if "data:," not in each] == []
