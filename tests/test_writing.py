"""Files for the user: whole or not at all, whoever writes them and whatever fails."""

import ast
import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import treewright as tw
from treewright.cli.main import main
from treewright.writing import is_stream, whole_file, write_whole

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="locks, rights and limits of POSIX")


def names(folder):
    return sorted(os.listdir(folder))


def stray(folder, name="page.html", token="0123456789abcdef", content=b"half"):
    path = folder / f".{name}.{token}.tmp"
    path.write_bytes(content)
    return path


def write_half(path, failure):
    with whole_file(path) as file:
        file.write(b"half")
        raise failure


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "page.html"
    write_whole(path, b"first")
    write_whole(str(path), b"second")
    assert path.read_bytes() == b"second"
    assert names(tmp_path) == ["page.html"]


def test_a_block_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")
    for failure in (KeyboardInterrupt(), ValueError("mine"), FileNotFoundError(2, "no such", "input.csv")):
        with pytest.raises(type(failure)) as caught:
            write_half(path, failure)
        assert caught.value is failure
        assert path.read_bytes() == b"old"
        assert names(tmp_path) == ["page.html"]


def test_an_error_names_the_file_that_was_asked_for(tmp_path):
    link = tmp_path / "link.html"
    link.symlink_to(tmp_path / "absent" / "page.html")
    for path, number in ((link, errno.ENOENT), (tmp_path, errno.EISDIR)):
        with pytest.raises((FileNotFoundError, IsADirectoryError)) as caught:
            write_whole(path, b"new")
        assert (caught.value.errno, caught.value.filename) == (number, str(path))
    with pytest.raises(OSError, match="No space left") as caught:
        write_half(tmp_path / "x", OSError(errno.ENOSPC, "No space left on device"))
    assert caught.value.filename == str(tmp_path / "x")
    assert names(tmp_path) == ["link.html"]


def test_a_name_as_long_as_the_file_system_takes_can_be_written(tmp_path):
    path = tmp_path / ("名" * 83 + ".html")
    assert len(os.fsencode(path.name)) == 254
    write_whole(path, b"page")
    assert names(tmp_path) == [path.name]


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o606])
def test_a_file_that_is_replaced_hands_its_rights_on(mode, tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")
    path.chmod(mode)
    with whole_file(path) as file:
        (beside,) = (each for each in tmp_path.iterdir() if each != path)
        assert stat.S_IMODE(beside.stat().st_mode) == mode  # from the first byte on
        file.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == b"new"


@POSIX
def test_what_may_not_be_written_stays_as_it_is(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # to root everything may be written
    with pytest.raises(PermissionError, match="may not be written"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"


@POSIX
def test_links_are_followed_and_stay(tmp_path):
    folder = tmp_path / "real"
    folder.mkdir()
    link = tmp_path / "page.html"
    link.symlink_to(Path("real") / "page.html")
    for content in (b"created", b"replaced"):
        write_whole(link, content)
        assert link.is_symlink()
        assert (folder / "page.html").read_bytes() == content
    assert (names(tmp_path), names(folder)) == (["page.html", "real"], ["page.html"])


@POSIX
def test_devices_and_pipes_are_written_to_as_they_stand(tmp_path):
    write_whole(os.devnull, b"nothing")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"page")
    assert os.read(reader, 10) == b"page"
    os.close(reader)
    assert is_stream(str(pipe))
    assert names(tmp_path) == ["pipe"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_device_that_takes_nothing_is_named():
    with pytest.raises(OSError, match="No space left") as caught:
        write_whole("/dev/full", b"page")
    assert caught.value.filename == "/dev/full"


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="open files have no names here")
def test_standard_output_goes_on_where_it_ends_even_if_it_is_a_file(tmp_path):
    path = tmp_path / "out.txt"
    code = (
        "from treewright.writing import write_whole\n"
        "print('first', flush=True)\n"
        "write_whole('/dev/stdout', b'second\\n')\n"
        "write_whole('/dev/fd/1', b'third\\n')\n"
    )
    with path.open("wb") as file:
        subprocess.run([sys.executable, "-c", code], check=True, stdout=file)
    assert path.read_bytes() == b"first\nsecond\nthird\n"
    assert names(tmp_path) == ["out.txt"]


# What writers leave that were killed.


@POSIX
def test_what_a_killed_writer_left_is_removed_by_the_next_one(tmp_path):
    tree = tmp_path / "tree.tw.json"
    code = (
        "import os, signal, sys, treewright as tw\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "tw.ID3Classifier().fit({'a': ['x', 'y']}, [0, 1]).save(sys.argv[1])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(tree)], check=False)
    assert ran.returncode == -signal.SIGKILL
    (left,) = names(tmp_path)
    assert left.startswith(".tree.tw.json.")
    tw.ID3Classifier().fit({"a": ["x", "y"]}, [0, 1]).save(tree)
    assert names(tmp_path) == ["tree.tw.json"]


@POSIX
def test_what_is_still_being_written_stays(tmp_path):
    path = tmp_path / "page.html"
    code = (
        "import sys\n"
        "from treewright.writing import whole_file\n"
        "with whole_file(sys.argv[1]) as file:\n"
        "    file.write(b'other')\n"
        "    print('writing', flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "writing\n"
        with whole_file(path) as file:
            write_whole(path, b"nested")
            file.write(b"mine")
        assert path.read_bytes() == b"mine"
        assert len(names(tmp_path)) == 2
        other.communicate("\n")
    assert other.returncode == 0
    assert path.read_bytes() == b"other"
    assert names(tmp_path) == ["page.html"]


@POSIX
def test_only_files_of_ours_for_this_very_target_are_removed(tmp_path):
    ours = stray(tmp_path)
    others = [
        stray(tmp_path, name="other.html"),
        stray(tmp_path, name="pageXhtml"),
        stray(tmp_path, name="my.page.html"),
        stray(tmp_path, token="0123"),
        stray(tmp_path, token="0123456789ABCDEF"),
        tmp_path / ".page.html.tmp",
        tmp_path / "page.html.0123456789abcdef.tmp",
    ]
    for path in others[-2:]:
        path.write_bytes(b"mine")
    link = tmp_path / ".page.html.aaaaaaaaaaaaaaaa.tmp"
    link.symlink_to(others[0])
    folder = tmp_path / ".page.html.bbbbbbbbbbbbbbbb.tmp"
    folder.mkdir()
    os.mkfifo(tmp_path / ".page.html.cccccccccccccccc.tmp")
    before = set(names(tmp_path))
    write_whole(tmp_path / "page.html", b"page")
    assert set(names(tmp_path)) == before - {ours.name} | {"page.html"}


@POSIX
def test_a_file_taken_for_abandoned_before_it_was_locked_is_created_again(tmp_path, monkeypatch):
    import fcntl

    lock = fcntl.flock
    removed = []

    def late(descriptor, how):
        if not removed:
            removed.extend(tmp_path.iterdir())
            removed[0].unlink()
        lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    write_whole(tmp_path / "page.html", b"page")
    assert names(tmp_path) == ["page.html"]
    assert (tmp_path / "page.html").read_bytes() == b"page"


# A full disk, to everybody who writes a file.

FULL = """
import resource, sys
import treewright as tw
from treewright.cli.main import main

what, folder = sys.argv[1:]
X, y = tw.datasets.load("watermelon_30")
tree = tw.C45Classifier(keep_ledger=True).fit(X, y)
model, table = f"{folder}/model.tw.json", f"{folder}/table.csv"
old = f"{folder}/old"
command = {
    "show": ["show", model, "--format", "svg", "-o", old, "--force"],
    "report": ["report", model, table, "-o", old, "--force"],
    "predict": ["predict", model, table, "--keep-columns", "-o", f"{old}.csv", "--force"],
    "demo": ["demo", "-o", old, "--force"],
}
method = {
    "save": lambda: tree.save(old),
    "to_html": lambda: tree.to_html(old),
    "est.report": lambda: tree.report(old, X, y),
}
# A write beyond this size fails as on a full disk: part of it is written, then there is an error.
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
if what in command:
    sys.exit(main(command[what]))
try:
    method[what]()
except OSError as error:
    print(type(error).__name__, error.errno, file=sys.stderr)
    sys.exit(1)
"""


@pytest.fixture(scope="module")
def melons(tmp_path_factory):
    """Give a folder with a model and its table."""
    folder = tmp_path_factory.mktemp("melons")
    X, y = tw.datasets.load("watermelon_30")
    tw.C45Classifier(keep_ledger=True).fit(X, y).save(folder / "model.tw.json")
    lines = [",".join(X), *(",".join(map(str, row)) for row in zip(*X.values(), strict=True))]
    (folder / "table.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


@POSIX
@pytest.mark.parametrize("what", ["save", "to_html", "est.report", "show", "report", "predict", "demo"])
def test_on_a_full_disk_the_old_file_is_whole_and_nothing_is_left_beside_it(what, melons):
    old = melons / ("old.csv" if what == "predict" else "old")
    old.write_bytes(b"old " * 1000)
    before = names(melons)
    ran = subprocess.run(
        [sys.executable, "-c", FULL, what, str(melons)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode == 0) == (what == "demo"), ran.stderr  # which goes on without its picture
    assert "File too large" in ran.stderr or str(errno.EFBIG) in ran.stderr
    assert "Traceback" not in ran.stderr
    assert old.read_bytes() == b"old " * 1000
    assert names(melons) == before
    old.unlink()


# An interrupt, to everybody who writes a file.

COMMANDS = {
    "fit": "fit {0}/table.csv --target 好瓜 --folds 0 -o {1} --force",
    "fit --report": "fit {0}/table.csv --target 好瓜 --folds 0 --report {1} --force",
    "prune": "prune {0}/model.tw.json --method pessimistic -o {1} --force",
    "show": "show {0}/model.tw.json --format svg -o {1} --force",
    "show as PNG": "show {0}/model.tw.json --format png -o {1} --force",
    "report": "report {0}/model.tw.json {0}/table.csv -o {1} --force",
    "report --json": "report {0}/model.tw.json {0}/table.csv --json -o {1} --force",
    "predict": "predict {0}/model.tw.json {0}/table.csv -o {1}.csv --force",
    "predict as Parquet": "predict {0}/model.tw.json {0}/table.csv -o {1}.parquet --force",
    "demo": "demo -o {1} --force",
    "demo --table": "demo --table {1}.csv --force",
}
METHODS = {
    "save": lambda tree, path, *_: tree.save(path),
    "to_html": lambda tree, path, *_: tree.to_html(path),
    "report of an estimator": lambda tree, path, X, y: tree.report(path, X, y),
}


@pytest.mark.parametrize("what", [*COMMANDS, *METHODS])
def test_an_interrupt_leaves_the_old_file_and_nothing_beside_it(what, melons, tmp_path, monkeypatch):
    if "PNG" in what:
        pytest.importorskip("matplotlib")
    if "Parquet" in what:
        pytest.importorskip("pyarrow")
    suffix = Path(COMMANDS.get(what, "").partition("{1}")[2].split(" ")[0]).name
    old = tmp_path / f"old{suffix}"
    old.write_bytes(b"old")
    interrupts = []

    def interrupted(_):
        interrupts.append(what)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)  # all is written by then, but not renamed
    if what in COMMANDS:
        assert main(COMMANDS[what].format(melons, tmp_path / "old").split()) == 130
    else:
        tree = tw.load(melons / "model.tw.json")
        with pytest.raises(KeyboardInterrupt):
            METHODS[what](tree, old, *tw.datasets.load("watermelon_30"))
    assert interrupts == [what], "it is written by treewright.writing"
    assert old.read_bytes() == b"old"
    assert names(tmp_path) == [old.name]


def test_nobody_else_writes_files():
    sources = sorted(Path(tw.__file__).parent.rglob("*.py"))
    found = [
        f"{path.name}:{call.lineno}"
        for path in sources
        if path.name != "writing.py"
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and writes_a_file(call)
    ]
    # The null device, so that a closed standard output is not written to again; bytes in memory.
    assert [each.split(":")[0] for each in found] == ["words.py", "plot.py"], found


WRITING = {
    "write_text",
    "write_bytes",
    "to_file",
    "tofile",
    "to_csv",
    "to_parquet",
    "savefig",
    "savez",
    "dump",
}


def writes_a_file(call):
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in WRITING or (name in {"replace", "rename"} and ast.unparse(call.func).startswith("os.")):
        return True
    mode = [ast.unparse(each) for each in [*call.args, *(keyword.value for keyword in call.keywords)]]
    modes = {"os.O_WRONLY", "os.O_RDWR", *(f"'{a}{b}'" for a in "wax" for b in ("", "b", "t", "+", "b+"))}
    return name in {"open", "fdopen", "NamedTemporaryFile"} and any(each in modes for each in mode)


@pytest.mark.parametrize(
    ("line", "is_writing"),
    [
        ("open(path, 'w')", True),
        ("Path(path).open(mode='ab')", True),
        ("path.write_text(page)", True),
        ("plt.savefig(path)", True),
        ("os.replace(new, old)", True),
        ("open(path, encoding='utf-8')", False),
        ("text.replace('w', 'x')", False),
    ],
)
def test_whoever_would_write_a_file_is_noticed(line, is_writing):
    (call, *_) = (each for each in ast.walk(ast.parse(line)) if isinstance(each, ast.Call))
    assert writes_a_file(call) == is_writing
