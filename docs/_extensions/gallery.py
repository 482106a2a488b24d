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
PHOTOGRAPHED = {"report": ["/pictures/report-light.png"]}  # what a program writes for a browser


def printed(text: str) -> str:
    """Shorten what a program prints."""
    lines = text.rstrip().splitlines()
    return "\n".join(lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], "..."])


def title(example: Path) -> str:
    """Give the title of an example's page: its name, in words."""
    return example.stem.replace("_", " ").capitalize()


def page(example: Path, folder: Path) -> str:
    """Run an example and write its page; keep what it draws and writes in a folder."""
    with tempfile.TemporaryDirectory() as place:
        ran = subprocess.run(
            [sys.executable, "-X", "utf8", str(example)],
            cwd=place,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        written = sorted(Path(place).glob("*.html"))
        for file in (*Path(place).glob("*.svg"), *written):
            shutil.copy(file, folder / f"{example.stem}-{file.name}")
    of_its_own = example.stem not in PHOTOGRAPHED
    alt = "what this program draws" if of_its_own else "a page of the kind that this program writes"
    caption = "" if of_its_own else "Such a page, of a larger table."
    links = [f"`{each.name} <../_static/gallery/{example.stem}-{each.name}>`__" for each in written]
    return "\n".join(
        (
            underlined(title(example)),
            f"{purpose(example)}\n",
            *(f".. figure:: {each}\n   :alt: {alt}\n\n   {caption}\n" for each in pictures(example, folder)),
            *([f"It writes {', '.join(links)}: open it as it is.\n"] if links else []),
            f".. literalinclude:: /../examples/{example.name}",
            f"   :language: python\n   :lines: {first(example)}-\n",
            "It prints:\n",
            f".. code-block:: text\n\n{textwrap.indent(printed(ran.stdout), '   ')}\n",
        )
    )


def purpose(example: Path) -> str:
    """Give what an example is for, in its own words."""
    said = ast.get_docstring(ast.parse(example.read_text("utf-8")))
    assert said, f"{example.name} does not say what it is for"
    return said


def first(example: Path) -> int:
    """Give the number of the first line after what it is for, and the blank line below that."""
    return (ast.parse(example.read_text("utf-8")).body[0].end_lineno or 0) + 2


def pictures(example: Path, folder: Path) -> list[str]:
    """List where Sphinx finds the pictures of an example that has been run."""
    drawn = sorted(folder.glob(f"{example.stem}-*.svg"))
    return [f"/_static/gallery/{each.name}" for each in drawn] or PHOTOGRAPHED[example.stem]


def entry(example: Path, folder: Path) -> str:
    """Write what stands of an example on the page that lists them: a picture and a sentence."""
    shown = pictures(example, folder)[0]
    sentence = " ".join(purpose(example).split("\n\n")[0].split())
    lines = (
        f".. figure:: {shown}\n   :target: {example.stem}.html\n   :alt: {title(example)}\n",
        f"   :doc:`{example.stem}`: {sentence}\n",
    )
    return textwrap.indent("\n".join(lines), "   ")


def write(app: "Sphinx") -> None:
    """Write the pages where Sphinx looks for them, and a page that lists them."""
    folder = Path(app.srcdir) / "_static" / "gallery"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    examples = sorted(EXAMPLES.glob("*.py"))
    written = {f"{example.stem}.rst": page(example, folder) for example in examples}
    listed = "".join(f"   {example.stem}\n" for example in examples)
    shown = "\n".join(entry(example, folder) for example in examples)
    written["index.rst"] = (
        f"{underlined('Examples')}\nPrograms to run and to change; they stand in ``examples/``.\n\n"
        f".. container:: gallery\n\n{shown}\n.. toctree::\n   :hidden:\n\n{listed}"
    )
    write_pages(Path(app.srcdir) / "gallery", written)


def setup(app: "Sphinx") -> dict[str, bool]:
    """Write the pages before Sphinx reads any."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
