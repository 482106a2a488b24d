"""The model file, ``*.tw.json``: a model, and the parameters of its estimator, as one JSON object.

`docs/reference/model-file.md` describes it, and `model.schema.json` beside it is its JSON Schema. Three
lines are the same in every version: the first two name the format and the version, the last one holds a
checksum of all bytes before it. They show whether a file is ours, complete, unaltered and not too new.

Reading a file needs only NumPy and the standard library, and runs no code in it.
"""

import errno
import hashlib
import json
import math
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from treewright.errors import ModelFileAccessError, ModelFileError, ParameterTypeError
from treewright.model.fields import Field
from treewright.model.model import Model
from treewright.model.sections import SECTIONS, model_from_plain, model_to_plain
from treewright.model.values import TYPES, Plain, from_plain
from treewright.writing import write_whole

SCHEMA = 1
"""Version of the file structure that this library writes."""

MIGRATIONS: dict[int, Callable[[dict[str, Plain]], dict[str, Plain]]] = {}
"""For every older version, a function that converts the sections of its files to the next version."""

_HEAD = re.compile(rb'\{\s*"format"\s*:\s*"treewright-model"\s*,\s*"schema"\s*:\s*(\d{1,9})\s*,')
_TAIL = re.compile(rb',\n"checksum": "sha256:([0-9a-f]{64})"\n\}\n')
_TAIL_LENGTH = len(b',\n"checksum": "sha256:') + 64 + len(b'"\n}\n')


@dataclass(frozen=True, slots=True)
class Saved:
    """The contents of a file.

    Parameters
    ----------
    model : Model
        The model.
    estimator : str
        Name of the estimator's class.
    parameters : dict
        Its parameters, as plain values (`treewright.model.values`).
    has_names : bool
        Whether the columns of the training table had names.
    class_type : str or None
        Type of the labels in the target; None for a regressor.
    """

    model: Model
    estimator: str
    parameters: Mapping[str, Plain]
    has_names: bool
    class_type: str | None


def write(saved: Saved, path: str | os.PathLike[str]) -> None:
    """Write a file completely or not at all.

    Parameters
    ----------
    saved : Saved
        What to write. The same value always gives the same bytes.
    path : path
        Where to write it. An existing file is replaced once the new one is complete on disk.

    Raises
    ------
    ModelFileError
        If the model has something that a file cannot hold.
    ModelFileAccessError
        If the file cannot be written. Then no part of it is left behind.
    """
    with _naming(path, "written", "was not written") as name:
        write_whole(name, to_bytes(saved))


def read(path: str | os.PathLike[str]) -> Saved:
    """Read a file. All of it is checked, and no code in it is run.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Saved

    Raises
    ------
    ModelFileError
        If it is not a model file, is incomplete, altered or too new, or its arrays do not form a tree.
    ModelFileAccessError
        If it cannot be read.
    """
    with _naming(path, "read", "cannot be loaded") as name:
        with Path(name).open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "it is not a regular file")
            content = file.read()
        return from_bytes(content)


def to_bytes(saved: Saved) -> bytes:
    """Write a file's bytes."""
    estimator: dict[str, Plain] = {"name": saved.estimator, "has_names": saved.has_names}
    if saved.class_type is not None:
        estimator["class_type"] = saved.class_type
    estimator["parameters"] = dict(saved.parameters)
    sections = {"estimator": estimator, **model_to_plain(saved.model)}
    lines = [f'{{\n"format": "treewright-model",\n"schema": {SCHEMA}']
    lines += [f'"{name}": {_lines_of(value, depth=1)}' for name, value in sections.items()]
    try:
        content = ",\n".join(lines).encode("utf-8")
    except UnicodeEncodeError as error:
        half = error.object[max(0, error.start - 20) : error.end + 20]
        what = f"a name or a label holds half a character, in {half!r}, which other programs cannot read"
        raise ModelFileError(f"{what}. Rename it and fit again.") from error
    return content + f',\n"checksum": "sha256:{hashlib.sha256(content).hexdigest()}"\n}}\n'.encode("ascii")


def from_bytes(content: bytes) -> Saved:
    """Read a file's bytes.

    Raises
    ------
    ModelFileError
        If it is not a model file. The text does not name the file.
    """
    schema = _checked_schema(content)
    try:
        plain = _parsed(content)
        for name in ("format", "schema", "checksum"):
            plain.pop(name, None)
        for older in range(schema, SCHEMA):
            plain = MIGRATIONS[older](plain)
        return _saved(Field(plain, ""))
    except ModelFileError as error:
        why = "Its checksum is right, so a program other than treewright wrote it like this."
        raise ModelFileError(f"{error} {why} Save the model again with treewright.") from error
    except RecursionError as error:
        raise ModelFileError("it is nested too deeply to be a model. Save the model again.") from error


def _checked_schema(content: bytes) -> int:
    """Return the version of a file, or raise if it is not ours, incomplete, altered or of unknown version."""
    head = _HEAD.match(content)
    if head is None:
        _refuse_other(content)
    tail = _TAIL.fullmatch(content, max(0, len(content) - _TAIL_LENGTH))
    if tail is None and not content.rstrip().endswith(b"}"):
        what = f"it was cut short after {len(content):,} bytes: the end is missing"
        raise ModelFileError(f"{what}. Get it again, or save the model again.")
    if tail is None:
        what = "an editor or a transfer that changes line ends has altered it. Get it again as it was written"
        raise ModelFileError(f"it does not end with a checksum, as every model file does: {what}.")
    found, expected = hashlib.sha256(memoryview(content)[:-_TAIL_LENGTH]).hexdigest(), tail[1].decode("ascii")
    if found != expected:
        what = f"its checksum is {expected[:12]}..., and its content has {found[:12]}...."
        advice = "Get it again as it was written, or save the model again."
        raise ModelFileError(f"it was altered after it was written: {what} {advice}")
    schema = int(head[1])
    what = f'it is of schema {schema} of "treewright-model"'
    if schema > SCHEMA:
        newest = f"schema {SCHEMA}, the newest that this version of treewright reads"
        raise ModelFileError(f"{what}, newer than {newest}. Update treewright.")
    if any(older not in MIGRATIONS for older in range(schema, SCHEMA)):
        raise ModelFileError(f"{what}, which does not exist. Save the model again.")
    return schema


def _refuse_other(content: bytes) -> NoReturn:
    if not content:
        what = "it is empty"
    elif content.startswith(b"\x80"):
        what = "it looks like a pickle; if you trust it, read it with the program that wrote it"
    elif content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        what = "it begins with a byte order mark; an editor has altered it"
    else:
        what = f"it begins with {content[:24].decode('utf-8', 'replace')!r}"
    raise ModelFileError(
        f"it is not a model file of treewright: {what}. Give one that est.save or `treewright fit -o` wrote."
    )


def _parsed(content: bytes) -> dict[str, Plain]:
    try:
        plain = _DECODER.decode(content.decode("utf-8"))
    except ModelFileError:
        raise
    except ValueError as error:  # from json, from decoding, or a number of thousands of digits
        raise ModelFileError(f"it is not JSON: {error}.") from error
    assert isinstance(plain, dict), "it begins with a brace"
    return plain


def _object(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ModelFileError(f"an object has the field {twice!r:.60} twice.")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ModelFileError(f"it holds a bare {name}, which is not JSON.")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ModelFileError(f"it holds the number {digits:.60}, which is too large for a float64.")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite)


def _saved(file: Field) -> Saved:
    needed = [section.name for section in SECTIONS if not section.is_optional]
    optional = [section.name for section in SECTIONS if section.is_optional]
    of = file.fields(["estimator", *needed], optional=optional)
    estimator = of.pop("estimator").fields(["name", "has_names", "parameters"], optional=["class_type"])
    model = model_from_plain(of)
    parameters = estimator["parameters"].object()
    for name, value in parameters.items():
        try:
            from_plain(value)
        except ModelFileError as error:
            raise ModelFileError(f"estimator.parameters.{name} {error}.") from error
    class_type = estimator["class_type"].text(of=TYPES) if "class_type" in estimator else None
    return Saved(model, estimator["name"].text(), parameters, estimator["has_names"].flag(), class_type)


def _lines_of(value: Plain, depth: int) -> str:
    """Write a value in a readable form: a line for each field of an object, one line for an array."""
    margin = " " * depth
    if depth < 4 and isinstance(value, dict) and value and (depth == 1 or dict in map(type, value.values())):
        inner = [f"{margin}{_line_of(name)}: {_lines_of(each, depth + 1)}" for name, each in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{margin[1:]}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"{margin}{_line_of(each)}" for each in value) + f"\n{margin[1:]}]"
    return _line_of(value)


def _line_of(value: Plain) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError as error:  # an integer of thousands of digits among the parameters
        raise ModelFileError(f"a parameter cannot be written: {error}.") from error


@contextmanager
def _naming(path: Any, done: str, failed: str) -> Iterator[str]:
    """Yield the name of a file, and add it to errors raised while the file is used."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(name, str) or not name or "\0" in name:
        raise ParameterTypeError(f"path={path!r:.60} is not the path of a file, such as 'model.tw.json'.")
    try:
        yield name
    except ModelFileError as error:
        raise ModelFileError(f"{name} {failed}: {error}") from error
    except OSError as error:
        advice = "Check the path, the permissions and the free disk space."
        refused = ModelFileAccessError(f"{name} cannot be {done}: {error.strerror or error}. {advice}")
        refused.errno = error.errno
        raise refused from error
