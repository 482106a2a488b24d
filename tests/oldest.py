"""Print what `make test-oldest` installs: what users may have, as old as it may be, and what tests need."""

import tomllib
from pathlib import Path

# Data frames, which users may hand over, and what old releases of the others need: with pyparsing 3.3 and
# later, which deprecates the names that matplotlib 3.7 calls, `import matplotlib` warns, and tests treat
# warnings as errors. So does pytest 9 where scikit-learn 1.6 hands it its checks.
BESIDES = ["pandas==2.2", "polars==1.0", "pyparsing<3.3", "pytest<9"]

if __name__ == "__main__":
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    users = [*project["dependencies"], *extras["files"], *extras["plot"], *extras["notebook"]]
    print(*(each.replace(">=", "==") for each in users), *BESIDES, *extras["test"], sep="\n")
