"""Two views in a real JupyterLab, where one is installed: pip install jupyterlab anywidget."""

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys

import pytest

for name in ("jupyterlab", "ipykernel", "anywidget"):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed: pip install jupyterlab anywidget", allow_module_level=True)

CELLS = [
    "import treewright as tw\nX, y = tw.datasets.load('golf')\ntw.C45Classifier().fit(X, y).view(X, y)",
    "tw.CARTClassifier().fit(X, y).view(X, y, lang='zh')",
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Give the address of a JupyterLab with a notebook of two views, and without anybody's settings."""
    home = tmp_path_factory.mktemp("lab")
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    notebook = {
        "cells": [cell | {"source": source} for source in CELLS],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    (home / "work").mkdir()
    (home / "work" / "views.ipynb").write_text(json.dumps(notebook))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ("--allow-root", "--no-browser", "--IdentityProvider.token=", "--ServerApp.port_retries=0")
    folders = {
        f"{name}_DIR": str(home / name) for name in ("JUPYTER_CONFIG", "JUPYTER_DATA", "JUPYTER_RUNTIME")
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options, f"--port={port}", "--ServerApp.root_dir=work"],
        cwd=home,
        env={**os.environ, **folders, "HOME": str(home), "IPYTHONDIR": str(home / "ipython")},
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in server.stderr:
        if f"127.0.0.1:{port}/lab" in line:
            break
    yield f"http://127.0.0.1:{port}/lab/tree/views.ipynb?reset"
    server.terminate()
    server.communicate()


def test_views_work_in_jupyterlab_in_its_theme_and_keep_their_keys(lab, browser):
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.set_default_timeout(60_000)
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(lab)
    page.locator(".jp-Notebook .jp-Cell").nth(1).wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.locator(".tw").nth(1).locator(".box").first.wait_for()
    assert page.locator(".tw h1").all_text_contents() == ["Report on a tree", "决策树报告"]
    floats = page.locator(".tw dt").evaluate_all("all => all.map(each => getComputedStyle(each).float)")
    assert set(floats) == {"none"}
    for is_light, paper in (("true", "rgb(255, 255, 255)"), ("false", "rgb(20, 24, 29)")):
        page.evaluate("is => document.body.dataset.jpThemeLight = is", is_light)
        for view in (0, 1):
            page.wait_for_function(
                "([at, paper]) => getComputedStyle(at).backgroundColor === paper",
                arg=[page.locator(".tw").nth(view).element_handle(), paper],
            )
    page.locator(".tw").first.locator("#search").fill("windy")
    page.locator(".tw").first.locator(".box").first.click()
    for key in ("Enter", "d", "d", "b", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.locator(".tw").count() == 2, "no cell was deleted"
    assert page.locator(".jp-Cell").count() == 2, "and none added"
    heading = page.locator(".tw").first.locator("#panel-node h3").text_content()
    assert re.fullmatch(r"Node [1-9]\d*", heading), "the arrows walked the tree"
    assert troubles == []
    page.context.close()
