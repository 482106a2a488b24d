"""The README's example prints what the README says."""

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
EXAMPLE = re.compile(r"```python\n(?P<code>.*?)```\s*```text\n(?P<output>.*?)```", re.S)


def test_the_readme_shows_the_real_output_of_its_example(tmp_path):
    example = EXAMPLE.search(README.read_text("utf-8"))
    assert example, "README.md needs a ```python block followed by a ```text block with its output"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-X", "utf8", "-c", example["code"]],
        cwd=tmp_path,  # away from the repository: the example stands on the installed package alone
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.stderr == ""
    assert ran.stdout == example["output"]
