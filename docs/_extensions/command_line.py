"""The page of the command line, written from the parser that reads it: what it says is what can be typed.

It is committed, to be read where it stands; each build writes it again, and a test compares.
"""

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.cli.parser import command_line

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = Path("reference") / "command-line.md"
_FIRST = """\
# The command line

`treewright`, or `python -m treewright`, comes with the package; `treewright --version` says which one. This
page is written from the program itself, whose `--help` says the same in a terminal.
[Fit a tree to your own table](../how-to/fit-your-table.md),
[Choose how large a tree should be](../how-to/choose-a-tree.md) and
[Save a tree and hand it over](../how-to/save-and-hand-over.md) say when to use what.
"""
_USUAL = ("positional arguments", "options")  # headings of argparse's own
_OF_ALL = ("help", "debug")  # what every command takes
_AS_TYPED = re.compile(r"(?<!\S)(?:'(treewright [^']+)'|(--[a-z][-a-z]*|-(?= )))")  # in the midst of words


def page() -> str:
    """Write the page."""
    parser = command_line()
    (commands,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    about = [(each.dest, each.help or "") for each in commands._choices_actions]
    parts = [
        _FIRST,
        _table("command", "", ((f"[`{name}`](#{name})", text) for name, text in about)),
        *_examples(parser),
        "Every command takes these, too:\n",
        _options("option", "", _of_all(commands.choices.values())),
    ]
    shared: dict[str, str] = {}
    for name, command in commands.choices.items():
        parts += [f"## {name}\n", _usage(command), _described(command.description or "")]
        usual = [each for each in command._actions if each.dest not in _OF_ALL and _is_usual(command, each)]
        parts += [
            _options("argument", "", [each for each in usual if each.required or not each.option_strings]),
            _options("option", "", [each for each in usual if not each.required and each.option_strings]),
        ]
        for group in command._action_groups:
            if group.title is not None and group.title not in _USUAL:
                parts.append(f"It also takes [{group.title}](#{group.title.replace(' ', '-')}).\n")
                table = _options("option", group.description or "", group._group_actions)
                assert shared.setdefault(group.title, table) == table, (
                    f"{group.title}: not the same in {name}"
                )
        parts += _examples(command)
    for title, table in shared.items():
        parts += [f"## {title.capitalize()}\n", table]
    return "\n".join(part for part in parts if part)


def _is_usual(command: argparse.ArgumentParser, action: argparse.Action) -> bool:
    return any(action in group._group_actions for group in command._action_groups if group.title in _USUAL)


def _of_all(commands: Iterable[argparse.ArgumentParser]) -> list[argparse.Action]:
    """List what every command takes."""
    first, *others = ([each for each in one._actions if each.dest in _OF_ALL] for one in commands)
    assert all([each.dest for each in one] == [each.dest for each in first] for one in others)
    return first


def _usage(command: argparse.ArgumentParser) -> str:
    """Write what is typed, without options that can be left out."""
    typed = []
    for each in command._actions:
        if each.required:
            typed.append(_typed(each)[-1])
        elif not each.option_strings:
            typed.append(f"[{_typed(each)[-1]}]")
    return f"```text\n{' '.join((command.prog, *typed, '[OPTIONS]'))}\n```\n"


def _options(head: str, about: str, actions: Iterable[argparse.Action]) -> str:
    return _table(
        head, about, ((", ".join(f"`{way}`" for way in _typed(each)), _help(each)) for each in actions)
    )


def _table(head: str, about: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {first.replace('|', chr(92) + '|')} | {_as_markdown(text)} |" for first, text in rows]
    return "\n".join((f"| {head} | {_as_markdown(about)} |", "|---|---|", *lines, "")) if lines else ""


def _typed(action: argparse.Action) -> list[str]:
    """List the ways to write an argument."""
    value = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else "")
    return [f"{each} {value}".strip() for each in action.option_strings or [""]]


def _help(action: argparse.Action) -> str:
    """Give its help; argparse's own words differ from one Python to the next."""
    return "show its help" if action.dest == "help" else action.help or ""


def _described(text: str) -> str:
    """Write a paragraph; lines that are set in stay as they are."""
    found = re.split(r"^((?:  .*\n?)+)", text, flags=re.M)
    return "\n".join(
        f"```text\n{re.sub('^  ', '', part, flags=re.M).rstrip()}\n```\n"
        if at % 2
        else f"{_as_markdown(part)}\n"
        for at, part in enumerate(found)
        if part.strip()
    )


def _examples(parser: argparse.ArgumentParser) -> list[str]:
    """Give the examples at the end of a help as a block, and what is said after them as text."""
    lines, _, more = (parser.epilog or "").removeprefix("examples:\n").partition("\n\n")
    block = "\n".join(line.removeprefix("  ") for line in lines.splitlines())
    return [f"```text\n{block}\n```\n", *([f"{_as_markdown(more)}\n"] if more else [])]


def _as_markdown(text: str) -> str:
    """Let a text stand in a page: in one line, stars as stars, options as they are typed."""
    text = re.sub(r"([*|])", r"\\\1", " ".join(text.split()))
    return _AS_TYPED.sub(lambda found: f"`{found[1] or found[2]}`", text)


def write(app: "Sphinx") -> None:
    """Write it where Sphinx looks for pages, if anything has changed."""
    file = Path(app.srcdir) / PAGE
    if not file.exists() or file.read_text("utf-8") != page():
        file.write_text(page(), "utf-8")


def setup(app: "Sphinx") -> dict[str, bool]:
    """Write the page before Sphinx reads any."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
