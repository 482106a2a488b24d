"""The page as a file: self-contained, closed to all but its own script, made of the files built."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import treewright as tw
from treewright.report.render import static

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "treewright" / "report" / "static"
FRONTEND = ROOT / "frontend"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    X, y = tw.datasets.load("golf")
    file = tmp_path_factory.mktemp("page") / "golf.html"
    written = tw.C45Classifier().fit(X, y).report(file, X, y, title="</title><script>alert(1)</script>")
    assert written == file
    return file.read_text("utf-8")


def test_only_the_pages_own_script_and_style_may_run(page):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1]
    script = re.search(r'<script type="module">(.*?)</script>', page, re.S)[1]
    style = re.search(r"<style>(.*?)</style>", page, re.S)[1]
    for directive, text in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert script == static("report.js")


def test_nothing_is_fetched_from_anywhere(page):
    without_names_of_formats = page.replace("http://www.w3.org/", "")
    assert not re.search(r"(?i)\b(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}/", without_names_of_formats)
    assert not re.search(r"(?i)<(?:img|iframe|object|embed|link rel=.?stylesheet)", page)
    assert "import(" not in static("report.js")


def test_data_begin_and_end_no_element(page):
    data = re.search(r'<script type="application/json" id="treewright-data">(.*?)</script>', page, re.S)[1]
    assert not set(data) & set("<>&")
    assert json.loads(data)["title"] == "</title><script>alert(1)</script>"
    assert page.count("<script") == 2
    assert "<title>&lt;/title&gt;" in page


def test_the_committed_files_have_the_hashes_beside_them():
    sums = (STATIC / "SHA256SUMS").read_text("utf-8").splitlines()
    assert [line.split()[1] for line in sums] == ["report.css", "report.js"]
    for line in sums:
        digest, name = line.split()
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == digest, f"build {name} again"


def test_the_committed_files_are_what_the_sources_build(tmp_path):
    if shutil.which("node") is None or not (FRONTEND / "node_modules" / "esbuild").is_dir():
        pytest.skip("Node or frontend/node_modules is not here: npm ci --prefix frontend")
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=FRONTEND, check=True, timeout=60)
    for name in ("report.js", "report.css", "SHA256SUMS"):
        assert (tmp_path / name).read_bytes() == (STATIC / name).read_bytes(), "node frontend/build.mjs"


def test_the_sources_have_sound_types():
    compiler = FRONTEND / "node_modules" / "typescript" / "bin" / "tsc"
    if shutil.which("node") is None or not compiler.is_file():
        pytest.skip("Node or frontend/node_modules is not here: npm ci --prefix frontend")
    ran = subprocess.run(
        ["node", str(compiler), "--noEmit", "-p", "."],
        cwd=FRONTEND,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
