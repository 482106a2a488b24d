"""Files for the user, written whole or not at all: whatever fails, the file that was there stays as it was.

A file is written beside its place, under a name of ours, made safe on the disk, then renamed. Devices, pipes
and what is open already (``/dev/stdout``) cannot be replaced; they are written to as they stand.
"""

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from typing import BinaryIO, NoReturn, TypeAlias

if sys.platform != "win32":
    import fcntl

FilePath: TypeAlias = str | os.PathLike[str]

_MOST_BYTES = 200  # of a name that stands in that of the file beside it; file systems take 255
_OLD = 24 * 3600  # seconds after which nobody is still writing, where locks do not tell
_OPEN_FILES = re.compile(r"/proc/(\d+|self|thread-self)/(task/\d+/)?fd|/dev/fd")


def write_whole(path: FilePath, content: bytes) -> None:
    """Write a file, whole or not at all.

    Parameters
    ----------
    path : path
        Where to; a file that is there is replaced once the new one is safe on the disk.
    content : bytes
        All of it.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left of it then.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/tree.txt", b"age <= 41")
    ...     [(file.name, file.read_text()) for file in pathlib.Path(folder).iterdir()]
    [('tree.txt', 'age <= 41')]
    """
    with whole_file(path) as file:
        file.write(content)


@contextlib.contextmanager
def whole_file(path: FilePath) -> Iterator[BinaryIO]:
    """Open a file for bytes; it takes its name at the end of the block, unless that fails.

    Links are followed, and a file that is replaced hands its rights on. What writers that were killed have
    left of the same file is removed.

    Parameters
    ----------
    path : path
        Where to.
    """
    name = os.fspath(path)
    if is_stream(name):
        # What is open already goes on where it ends; to truncate it would lose what others wrote there.
        try:
            with open(name, "ab" if _is_open_already(name) else "wb") as stream:
                yield stream
        except OSError as error:
            _raise_named(error, name)
        return
    target = os.path.realpath(name)
    try:
        mode = _mode_of(target)
        _remove_abandoned(target)
        descriptor, beside = _created(target, mode)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if sys.platform != "win32":  # under the lock, so that nobody takes it for abandoned
                os.replace(beside, target)
        if sys.platform == "win32":  # where no open file is renamed
            os.replace(beside, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError):
            _raise_named(error, name, beside)
        raise
    _sync_folder(os.path.dirname(target))


def is_stream(path: str) -> bool:
    """Tell whether a path is there and cannot be replaced: a device, a pipe, ``/dev/stdout``.

    Examples
    --------
    >>> is_stream(os.devnull), is_stream("absent.txt")
    (True, False)
    """
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return _is_open_already(path) or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _is_open_already(path: str) -> bool:
    """Tell whether a path is the name of an open file, such as ``/dev/stdout``, whatever that leads to."""
    for _ in range(40):  # as many links as Linux follows
        folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
        if _OPEN_FILES.fullmatch(folder):
            return True
        if not os.path.islink(path):
            return False
        path = os.path.join(folder, os.readlink(path))
    return False


def _mode_of(target: str) -> int | None:
    """Give the rights of a file that is to be replaced, None if there is none; refuse what may not be."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", target)
    if not os.access(target, os.W_OK):  # a rename would not mind, whoever protected the file does
        raise PermissionError(errno.EACCES, "it is there, and may not be written", target)
    return stat.S_IMODE(mode)


def _created(target: str, mode: int | None) -> tuple[int, str]:
    """Create a file beside its target and lock it, with the rights of the one that it is to replace."""
    # As any new file otherwise, with the rights that the user's mask leaves; never one that is there already.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        beside = f"{_stem(target)}.{secrets.token_hex(8)}.tmp"
        descriptor = os.open(beside, flags, 0o666 if mode is None else mode)
        if mode is not None:
            with contextlib.suppress(OSError):
                os.chmod(beside, mode)  # what the mask took
        if sys.platform != "win32":
            with contextlib.suppress(OSError):  # a file system without locks: see `_is_abandoned`
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, beside
        os.close(descriptor)  # another writer took it for abandoned, before it was locked


def _stem(target: str) -> str:
    """Give what names of files beside a target begin with: its own name, or what stands for a long one."""
    folder, name = os.path.split(target)
    raw = os.fsencode(name)
    return os.path.join(folder, f".{name if len(raw) <= _MOST_BYTES else hashlib.sha256(raw).hexdigest()}")


def _remove_abandoned(target: str) -> None:
    """Remove what writers of this very file have left that were killed, before the new one needs the room."""
    folder, stem = os.path.split(_stem(target))
    ours = re.compile(re.escape(stem) + r"\.[0-9a-f]{16}\.tmp")
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for found in [entry.path for entry in entries if ours.fullmatch(entry.name)]:
            with contextlib.suppress(OSError):  # gone by now, or somebody else's
                _remove_if_abandoned(found)


def _remove_if_abandoned(path: str) -> None:
    """Remove a file that nobody is writing any more.

    Whoever writes holds a lock on it, which the system takes back when the process ends, however it ends; a
    number of a process in the name would tell nothing across containers, and an age nothing of a large table
    that is written slowly. Only where there are no locks, age has to do.
    """
    if sys.platform == "win32":
        if time.time() - os.stat(path).st_mtime > _OLD:
            os.unlink(path)
        return
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises where somebody holds it
            os.unlink(path)
    finally:
        os.close(descriptor)


def _sync_folder(folder: str) -> None:
    """Let the new name outlive a power cut, where the system lets us ask for it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _raise_named(error: OSError, path: str, beside: str | None = None) -> NoReturn:
    """Raise an error with the name that was asked for, if it is about the file that is written.

    It has no name then, or that of the file beside it; one about another file that was open meanwhile speaks
    for itself, and so do errors of ours.
    """
    if error.filename not in (None, beside) or isinstance(error, ValueError):
        raise error
    raise OSError(error.errno, error.strerror or str(error), path) from error
