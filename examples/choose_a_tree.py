"""Grow a large tree, let cross-validation choose among its subtrees, and plot the candidates."""

import sys
from pathlib import Path

from sklearn.datasets import load_breast_cancer

import treewright as tw


def main(folder: Path) -> None:
    """Choose a tree for the Wisconsin tumours; save the picture in `folder`."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    y = y.map({0: "malignant", 1: "benign"})
    seen = X.index % 4 != 0
    tree = tw.CARTClassifier().fit(X[seen], y[seen])
    print(tree.pruning_table_)
    print()
    print(tree.to_text())
    try:
        import matplotlib
    except ImportError:
        print("\nFor a picture, install matplotlib: pip install treewright[plot].")
        return
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "treewright"  # the same picture, the same bytes
    picture = folder / "choose-a-tree.svg"
    tree.plot_pruning().figure.savefig(picture, metadata={"Date": None})
    print(f"\nThe picture is in {picture}.")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
