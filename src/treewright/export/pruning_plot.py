"""Draw a pruning table with matplotlib: what trees cost on rows seen in growing and on rows not seen."""

from typing import Any

import numpy as np

from treewright.errors import MissingPackageError
from treewright.model.pruning_table import PruningTable


def draw(table: PruningTable, ax: Any = None) -> Any:
    """Draw the errors of nested trees by their leaves.

    Parameters
    ----------
    table : PruningTable
        The trees.
    ax : matplotlib Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    matplotlib Axes
    """
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise MissingPackageError(
                "plot_pruning draws with matplotlib, which is not installed: pip install treewright[plot]."
            ) from error
        _, ax = pyplot.subplots(figsize=(7.0, 4.2), layout="constrained")
    leaves = table.n_leaves
    ax.plot(leaves, table.relative_error, color="0.55", linewidth=1.2, label="rows grown on")
    if not np.isnan(table.cv_error).all():
        low, high = table.cv_error - table.cv_std, table.cv_error + table.cv_std
        ax.fill_between(leaves, low, high, color="C0", alpha=0.18, linewidth=0)
        marker = "o" if len(table) <= 60 else None
        ax.plot(
            leaves, table.cv_error, color="C0", marker=marker, markersize=3.5, label="rows held out, ± 1 SE"
        )
        ax.axhline(
            table.within_one_se, color="C0", linewidth=0.9, linestyle=(0, (4, 3)), label="least + 1 SE"
        )
        ax.plot(
            [leaves[table.chosen]],
            [table.cv_error[table.chosen]],
            marker="D",
            markersize=8,
            color="C3",
            linestyle="none",
            label=f"chosen: {leaves[table.chosen]:,} leaves",
        )
    if leaves.max() > 30:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_xlabel("leaves")
    ax.set_ylabel("error, relative to the root's")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax
