"""The model file, ``*.tw.json``: a model, and what is needed to give the estimator back, in one JSON object.

`docs/reference/model-file.md` describes it, `model.schema.json` beside this file is its JSON Schema. Three
lines of it never change, whatever the schema: the first two say what it is, the last one holds a checksum of
all bytes before it. So it can always be told whether a file is ours, whole, unaltered and not too new.

NumPy and the standard library are enough to read one; nothing in it is run.
"""

import hashlib
import json
import math
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Mapping
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
"""Version of the structure that this library writes."""

MIGRATIONS: dict[int, Callable[[dict[str, Plain]], dict[str, Plain]]] = {}
"""For every older schema, what turns the sections of its files into those of the next one."""

_HEAD = re.compile(rb'\{\s*"format"\s*:\s*"treewright-model"\s*,\s*"schema"\s*:\s*(\d{1,9})\s*,')
_TAIL = re.compile(rb',\n"checksum": "sha256:([0-9a-f]{64})"\n\}\n')
_TAIL_LENGTH = len(b',\n"checksum": "sha256:') + 64 + len(b'"\n}\n')


@dataclass(frozen=True, slots=True)
class Saved:
    """What a file holds.

    Parameters
    ----------
    model : Model
        The tree, what it remembers of its table, where it comes from.
    estimator : str
        Name of the estimator's class.
    parameters : dict
        What it was constructed with, as plain values (`treewright.model.values`).
    has_names : bool
        Whether the columns of the training table had names.
    class_type : str or None
        Type of the labels as the target had them, None of a target of numbers.
    """

    model: Model
    estimator: str
    parameters: Mapping[str, Plain]
    has_names: bool
    class_type: str | None


def write(saved: Saved, path: str | os.PathLike[str]) -> None:
    """Write a file, whole or not at all.

    Parameters
    ----------
    saved : Saved
        What to write. The same value gives the same bytes, always.
    path : path
        Where to; a file that is there is replaced once the new one is safe on the disk.

    Raises
    ------
    ModelFileError
        If the model holds what a file cannot.
    ModelFileAccessError
        If the file cannot be written; nothing is left of it then.
    """
    name = _path(path)
    try:
        content = to_bytes(saved)
    except ModelFileError as error:
        raise ModelFileError(f"{name} was not written: {error}") from error
    try:
        write_whole(name, content)
    except OSError as error:
        _refuse_access(name, "written", error)


def read(path: str | os.PathLike[str]) -> Saved:
    """Read a file; all of it is checked, and nothing in it is run.

    Parameters
    ----------
    path : path
        Where it is.

    Returns
    -------
    Saved

    Raises
    ------
    ModelFileError
        If it is no model file, was cut short, was altered, is newer, or does not hold a sound tree.
    ModelFileAccessError
        If it cannot be read.
    """
    name = _path(path)
    try:
        with Path(name).open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ModelFileAccessError(
                    f"{name} cannot be read: it is not a regular file. Copy it to one."
                )
            content = file.read()
    except ModelFileAccessError:
        raise
    except OSError as error:
        _refuse_access(name, "read", error)
    try:
        return from_bytes(content)
    except ModelFileError as error:
        raise ModelFileError(f"{name} cannot be loaded: {error}") from error


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
        raise ModelFileError(
            f"a name or a label holds half a character, in {half!r}, and is no text that other programs "
            "could read. Rename it and fit again."
        ) from error
    return content + f',\n"checksum": "sha256:{hashlib.sha256(content).hexdigest()}"\n}}\n'.encode("ascii")


def from_bytes(content: bytes) -> Saved:
    """Read a file's bytes.

    Raises
    ------
    ModelFileError
        That tells what is wrong, without the file's name.
    """
    schema = _checked_schema(content)
    plain = _parsed(content)
    for name in ("format", "schema", "checksum"):
        plain.pop(name, None)
    while schema < SCHEMA:
        plain = MIGRATIONS[schema](plain)
        schema += 1
    try:
        return _saved(Field(plain, ""))
    except ModelFileError as error:
        raise ModelFileError(
            f"{error} Its checksum is right, so it was written like this, by something other than "
            "treewright. Save the model again with treewright."
        ) from error
    except RecursionError as error:
        raise _too_deep() from error


def _checked_schema(content: bytes) -> int:
    """Tell which schema a file has, if it is ours, whole, unaltered and known."""
    head = _HEAD.match(content)
    if head is None:
        _refuse_other(content)
    tail = _TAIL.fullmatch(content, max(0, len(content) - _TAIL_LENGTH))
    if tail is None:
        is_closed = content.rstrip().endswith(b"}")
        raise ModelFileError(
            "it does not end with the checksum that every model file ends with: it was altered, by an editor "
            "or by a transfer that changes line ends. Get it again as it was written."
            if is_closed
            else f"it was cut short after {len(content):,} bytes: the end is missing. Get it again, or save "
            "the model again."
        )
    found, told = hashlib.sha256(memoryview(content)[:-_TAIL_LENGTH]).hexdigest(), tail[1].decode("ascii")
    if found != told:
        raise ModelFileError(
            f"it was altered after it was written: its checksum is {told[:12]}..., and its content has "
            f"{found[:12]}.... Get it again as it was written, or save the model again."
        )
    schema = int(head[1])
    if schema > SCHEMA:
        raise ModelFileError(
            f'it is of schema {schema} of "treewright-model", newer than schema {SCHEMA}, the newest that '
            "this version of treewright reads. Update treewright."
        )
    for older in range(schema, SCHEMA):
        if older not in MIGRATIONS:
            raise ModelFileError(
                f'it is of schema {schema} of "treewright-model", which never was. Save the model again.'
            )
    return schema


def _refuse_other(content: bytes) -> NoReturn:
    if not content:
        what = "it is empty"
    elif content.startswith(b"\x80"):
        what = "it looks like a pickle; read it with what wrote it, if you trust it"
    elif content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        what = "it begins with a byte order mark; an editor has altered it"
    else:
        what = f"it begins with {content[:24]!r}"
    raise ModelFileError(f"it is not a model file of treewright: {what}. Give a file that est.save wrote.")


def _parsed(content: bytes) -> dict[str, Plain]:
    try:
        plain = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except RecursionError as error:
        raise _too_deep() from error
    except ModelFileError:
        raise
    except ValueError as error:  # json's, a faulty encoding, a number of thousands of digits
        raise ModelFileError(f"it is no JSON: {error}. Save the model again.") from error
    assert isinstance(plain, dict), "it begins with a brace"
    return plain


def _object(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ModelFileError(f"an object has the field {twice!r:.60} twice. Save the model again.")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ModelFileError(f"it holds a bare {name}, which is no JSON. Save the model again.")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ModelFileError(
            f"it holds the number {digits:.60}, beyond what a float64 holds. Save the model again."
        )
    return number


def _too_deep() -> ModelFileError:
    return ModelFileError("it is nested too deep to be a model. Save the model again.")


def _saved(file: Field) -> Saved:
    needed = [section.name for section in SECTIONS if not section.is_optional]
    optional = [section.name for section in SECTIONS if section.is_optional]
    of = file.fields(["estimator", *needed], optional=optional)
    estimator = of.pop("estimator").fields(["name", "has_names", "parameters"], optional=["class_type"])
    model = model_from_plain(of)
    parameters = estimator["parameters"]
    if not isinstance(parameters.value, dict):
        parameters.refuse("an object")
    for name, value in parameters.value.items():
        try:
            from_plain(value)
        except ModelFileError as error:
            raise ModelFileError(f"{parameters.place}.{name} {error}.") from error
    return Saved(
        model,
        estimator["name"].text(),
        parameters.value,
        estimator["has_names"].flag(),
        estimator["class_type"].text(of=TYPES) if "class_type" in estimator else None,
    )


def _lines_of(value: Plain, depth: int) -> str:
    """Write a value so that people can look into it: what has names a line each, arrays one line."""
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
    except ValueError as error:  # a whole number of thousands of digits, among parameters
        raise ModelFileError(f"a parameter cannot be written: {error}.") from error


def _path(path: Any) -> str:
    try:
        name = os.fspath(path)
    except TypeError:
        name = None
    if not isinstance(name, str) or not name or "\0" in name:
        raise ParameterTypeError(
            f"path={path!r:.60} is not the path of a file; give one, such as 'model.tw.json'."
        )
    return name


def _refuse_access(name: str, what: str, error: OSError) -> NoReturn:
    refused = ModelFileAccessError(
        f"{name} cannot be {what}: {error.strerror or error}. Check the path, the rights and the room on the "
        "disk."
    )
    refused.errno = error.errno
    raise refused from error
