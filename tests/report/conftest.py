"""Pages of reports in a browser."""

import pytest

VIEWPORT = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Give a place for pages."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="session")
def one_page(browser):
    """Give one page for all reports that ask for nothing special: a window takes longer than a file."""
    page = browser.new_context(viewport=VIEWPORT).new_page()
    yield page
    page.context.close()


@pytest.fixture
def opened(browser, one_page):
    """Give a function that opens a file; in the end no network was asked and nothing complained of.

    With options for the window, and for a second file, the page is a new one.
    """
    pages, troubles = [], []

    def open_file(file, **options):
        is_own = bool(options or pages)
        page = browser.new_context(**({"viewport": VIEWPORT} | options)).new_page() if is_own else one_page
        page.set_default_timeout(60_000)
        own = file.as_uri()
        listeners = {
            "console": lambda message: troubles.append(f"{message.type}: {message.text}"),
            "pageerror": lambda error: troubles.append(f"error: {error}"),
            "dialog": lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()),
            "request": lambda request: request.url == own or troubles.append(f"request: {request.url}"),
        }
        for event, listener in listeners.items():
            page.on(event, listener)
        pages.append((page, listeners))
        page.goto(own)
        page.wait_for_selector(".box")
        return page

    yield open_file
    for page, listeners in pages:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        if page is not one_page:
            page.context.close()
    assert [each for each in troubles if "data:," not in each] == []
