"""Write files completely or not at all: if anything fails, an existing file stays as it was.

A file is written under a temporary name in the same folder, synced to disk, and then renamed. Devices, pipes
and open files (``/dev/stdout``) cannot be replaced; they are written to directly.
"""

import contextlib
import errno
import glob
import hashlib
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from typing import BinaryIO, TypeAlias

if sys.platform != "win32":
    import fcntl

FilePath: TypeAlias = str | os.PathLike[str]

_MOST_BYTES = 200  # of a name to be part of the temporary name; file systems allow 255
_OLD = 24 * 3600  # seconds after which a temporary file counts as abandoned, on systems without locks
_OPEN_FILES = re.compile(r"/proc/(\d+|self|thread-self)/(task/\d+/)?fd|/dev/fd")


def write_whole(path: FilePath, content: bytes) -> None:
    """Write a file completely or not at all.

    Parameters
    ----------
    path : path
        The file to write; an existing file is replaced once the new one is safely on disk.
    content : bytes
        Its content.

    Raises
    ------
    OSError
        If it cannot be written; then nothing is left behind.

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
    """Open a file for bytes; it appears under its name at the end of the block, unless the block fails.

    Links are followed, and a file that replaces another keeps its permissions. Files left behind by killed
    writers of the same file are removed.

    Parameters
    ----------
    path : path
        The file to write.
    """
    name = os.fspath(path)
    target = os.path.realpath(name)
    temporary = None
    try:
        if is_stream(name):
            # Append to an open file; truncating it would lose what others have written there.
            with open(name, "ab" if _is_open_already(name) else "wb") as stream:
                yield stream
            return
        mode = _mode_of(target)
        _remove_abandoned(target)
        descriptor, temporary = _created(target, mode)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if sys.platform != "win32":  # rename under the lock, so that no writer removes it as abandoned
                os.replace(temporary, target)
        if sys.platform == "win32":  # open files cannot be renamed there
            os.replace(temporary, target)
    except BaseException as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError) and _is_about(target, error):
            raise OSError(error.errno, error.strerror or str(error), name) from error
        raise
    _sync_folder(os.path.dirname(target))


def is_stream(path: str) -> bool:
    """Return whether a path exists and cannot be replaced: a device, a pipe, ``/dev/stdout``.

    Examples
    --------
    >>> is_stream(os.devnull), is_stream("absent.txt")
    (True, False)
    """
    is_ordinary = os.path.isfile(path) or os.path.isdir(path)
    return os.path.exists(path) and (_is_open_already(path) or not is_ordinary)


def _is_open_already(path: str) -> bool:
    """Return whether a path names an open file, such as ``/dev/stdout``, whatever it is redirected to."""
    for _ in range(40):  # Linux follows at most 40 links
        folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
        if _OPEN_FILES.fullmatch(folder):
            return True
        if not os.path.islink(path):
            return False
        path = os.path.join(folder, os.readlink(path))
    return False


def _mode_of(target: str) -> int | None:
    """Return the permissions of the file to replace, None if there is none; raise if it is protected."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", target)
    if not os.access(target, os.W_OK):  # a rename would ignore the protection
        raise PermissionError(errno.EACCES, "it exists and may not be written", target)
    return stat.S_IMODE(mode)


def _created(target: str, mode: int | None) -> tuple[int, str]:
    """Create and lock a temporary file beside the target, with the permissions of the file it replaces."""
    # If no file is replaced, the umask decides the permissions. O_EXCL: never open an existing file.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        temporary = f"{_stem(target)}.{secrets.token_hex(8)}.tmp"
        descriptor = os.open(temporary, flags, 0o666 if mode is None else mode)
        if mode is not None:
            with contextlib.suppress(OSError):
                os.chmod(temporary, mode)  # undo the umask
        if sys.platform != "win32":
            with contextlib.suppress(OSError):  # a file system without locks: see `_remove_abandoned`
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, temporary
        os.close(descriptor)  # another writer removed it as abandoned before it was locked


def _stem(target: str) -> str:
    """Return the start of temporary names: the name of the target, or a digest of a long one."""
    folder, name = os.path.split(target)
    raw = os.fsencode(name)
    return os.path.join(folder, f".{name if len(raw) <= _MOST_BYTES else hashlib.sha256(raw).hexdigest()}")


def _remove_abandoned(target: str) -> None:
    """Remove temporary files of this target whose writers were killed, before the new one needs the space.

    A writer holds a lock, which the system releases when the process ends, however it ends. A process id in
    the name would be meaningless across containers, and age would be misleading for a large table that is
    written slowly; age decides only on systems without locks.
    """
    for path in glob.glob(f"{glob.escape(_stem(target))}.{'[0-9a-f]' * 16}.tmp"):
        with contextlib.suppress(OSError):  # already removed, or owned by another user
            if sys.platform == "win32":
                if time.time() - os.stat(path).st_mtime > _OLD:
                    os.unlink(path)
                continue
            with open(os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK), "rb+", 0) as file:
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises if its writer is still alive
                    os.unlink(path)


def _sync_folder(folder: str) -> None:
    """Make sure that the new name survives a power failure, if the system supports this."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_about(target: str, error: OSError) -> bool:
    """Return whether an error is about the file being written, not about another one, and not one of ours."""
    is_of_target = error.filename in (None, target) or str(error.filename).startswith(f"{_stem(target)}.")
    return is_of_target and not isinstance(error, ValueError)
