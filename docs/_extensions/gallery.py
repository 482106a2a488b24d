"""A page for every program in `examples/`: what it is for, its text, what it prints, draws and writes."""

import ast
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from written import underlined, write_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MOST_LINES = 80  # of what a program prints; more is for a terminal


def printed(text: str) -> str:
    """Shorten what a program prints."""
    lines = text.rstrip().splitlines()
    return "\n".join(lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], "..."])


def title(example: Path) -> str:
    """Give the title of an example's page: its name, in words."""
    return example.stem.replace("_", " ").capitalize()


def page(example: Path, pictures: Path) -> str:
    """Run an example and write its page; leave its pictures in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(
            [sys.executable, "-X", "utf8", str(example)],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        drawn = sorted(Path(folder).glob("*.svg"))
        written = sorted(Path(folder).glob("*.html"))
        for file in (*drawn, *written):
            shutil.copy(file, pictures / f"{example.stem}-{file.name}")
    program = ast.parse(example.read_text("utf-8"))
    said = ast.get_docstring(program)
    assert said, f"{example.name} does not say what it is for"
    first = (program.body[0].end_lineno or 0) + 2  # after the docstring and the blank line below it
    images = [
        f".. image:: /_static/gallery/{example.stem}-{each.name}\n   :alt: what this program draws\n"
        for each in drawn
    ]
    links = [f"`{each.name} <../_static/gallery/{example.stem}-{each.name}>`__" for each in written]
    return "\n".join(
        (
            underlined(title(example)),
            said,
            f"\n.. literalinclude:: /../examples/{example.name}\n   :language: python\n   :lines: {first}-\n",
            "It prints:\n",
            f".. code-block:: text\n\n{textwrap.indent(printed(ran.stdout), '   ')}\n",
            *images,
            *([f"It writes {', '.join(links)}: open it as it is.\n"] if links else []),
        )
    )


def write(app: "Sphinx") -> None:
    """Write the pages where Sphinx looks for them, and a page that lists them."""
    pictures = Path(app.srcdir) / "_static" / "gallery"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    examples = sorted(EXAMPLES.glob("*.py"))
    written = {f"{example.stem}.rst": page(example, pictures) for example in examples}
    listed = "".join(f"   {example.stem}\n" for example in examples)
    written["index.rst"] = (
        f"{underlined('Examples')}\nPrograms to run and to change; they stand in ``examples/``.\n\n"
        f".. toctree::\n   :maxdepth: 1\n\n{listed}"
    )
    write_pages(Path(app.srcdir) / "gallery", written)


def setup(app: "Sphinx") -> dict[str, bool]:
    """Write the pages before Sphinx reads any."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
