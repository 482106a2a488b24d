"""Pages that are written before each build, beside those written by people."""

from collections.abc import Mapping
from pathlib import Path


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Make the folder hold these pages; what has not changed is not touched, so Sphinx need not read it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        file = folder / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
    for file in folder.iterdir():
        if file.name not in pages:
            file.unlink()


def underlined(title: str, rule: str = "=") -> str:
    """Write a heading of reStructuredText; Chinese is twice as wide."""
    return f"{title}\n{rule * (2 * len(title))}\n"
