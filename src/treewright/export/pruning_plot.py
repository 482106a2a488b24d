"""Draw a pruning table with matplotlib: the cost of trees on training rows and on held-out rows."""

from typing import Any

import numpy as np

from treewright.export.plot import matplotlib_module
from treewright.model.pruning_table import PruningTable


def draw(table: PruningTable, ax: Any = None) -> Any:
    """Plot the errors of nested trees against their numbers of leaves.

    Parameters
    ----------
    table : PruningTable
        The trees.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    if ax is None:
        pyplot = matplotlib_module("pyplot", "plot_pruning")
        _, ax = pyplot.subplots(figsize=(7.0, 4.2), layout="constrained")
    leaves, errors = table.n_leaves, table.cv_error
    ax.plot(leaves, table.relative_error, color="0.55", linewidth=1.2, label="rows grown on")
    if not np.isnan(errors).all():
        low, high = errors - table.cv_std, errors + table.cv_std
        ax.fill_between(leaves, low, high, color="C0", alpha=0.18, linewidth=0)
        points = {"marker": "o" if len(table) <= 60 else None, "markersize": 3.5}
        ax.plot(leaves, errors, color="C0", label="rows held out, ± 1 SE", **points)
        dashes = {"linewidth": 0.9, "linestyle": (0, (4, 3))}
        ax.axhline(table.within_one_se, color="C0", label="least + 1 SE", **dashes)
        n_leaves, error = leaves[table.chosen], errors[table.chosen]
        ax.scatter([n_leaves], [error], 64, color="C3", marker="D", label=f"chosen: {n_leaves:,} leaves")
    if leaves.max() > 30:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set(xlabel="leaves", ylabel="error, relative to the root's")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
