"""Does an installed treewright work? Run outside the source tree, by `make wheel` and for every wheel built.

It needs nothing but treewright and what that depends on.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import treewright as tw


def main() -> None:
    """Grow, explain, save and load a tree, and call the command."""
    place = Path(tw.__file__).resolve()
    source = Path(__file__).resolve().parents[1] / "src"
    assert not place.is_relative_to(source), f"this is the source tree, not an installed package: {place}"
    golf, play = tw.datasets.load("golf")
    tree = tw.C45Classifier().fit(golf, play)
    assert "outlook" in tree.to_text()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 5))
    y = X[:, 0] + (X[:, 1] > 0)
    one, two = (tw.DecisionTreeRegressor(max_depth=5, n_jobs=n).fit(X, y) for n in (1, 2))
    assert one.tree_ == two.tree_
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "golf.tw.json"
        tree.save(path)
        assert (tw.load(path).predict(golf) == tree.predict(golf)).all()
        page = tree.report(Path(folder) / "golf.html", golf, play)
        assert page.stat().st_size > 50_000, "the page's script is not in the package"
        subprocess.run([sys.executable, "-m", "treewright", "show", path], check=True, stdout=subprocess.PIPE)
    print(f"treewright {tw.__version__} works: {place.parent}")


if __name__ == "__main__":
    main()
