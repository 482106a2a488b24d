"""The comparisons of a pruning rule, one by one: the figures of a node, and their arithmetic."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from treewright.formatting import format_number, format_percent, format_score, format_weight
from treewright.parts.pruners import (
    CostComplexity,
    ErrorBased,
    MinimumError,
    Pessimistic,
    PrePruning,
    Pruner,
)

PruningVerdict: TypeAlias = Literal["leaf", "branch", "stays", "gone"]
Say: TypeAlias = Callable[..., str]


@dataclass(frozen=True, slots=True)
class PruningRow:
    """What a pruning rule compared at one node.

    Parameters
    ----------
    step : int or None
        Place in the order of the comparisons; for cost-complexity pruning in the order of the cuts, or None
        for a node that is removed together with one above it.
    node : int
        Number of the node in the tree as it was grown.
    n_leaves : int
        Leaves of its subtree when it was compared.
    weight : float
        Weight of the rows that were counted in it.
    errors : float
        Cost of the node as a leaf for these rows: usually the weight of the rows of other classes.
    as_leaf, as_subtree : float
        The two sides of the comparison: for cost-complexity pruning the risks R(t) and R(T), for rules with
        held-out rows the cost of the whole tree with this node as a leaf and with its split, for other rules
        the expected errors.
    terms : tuple of float
        The terms that add up to `as_subtree`: one for each branch; for pessimistic pruning the errors of the
        leaves, 1/2 for each leaf, and the standard errors.
    branch : int or None
        For error-based pruning, the heaviest branch, which may take the node's place.
    as_branch : float or None
        Expected errors of this branch with all rows of the node.
    branch_terms : tuple of float
        The terms that add up to `as_branch`: one for each leaf of the branch that some of the rows reach.
    price : float or None
        For cost-complexity pruning, g(t) = (R(t) − R(T)) / (leaves − 1).
    cut_at : float or None
        For cost-complexity pruning, the price at which the node becomes a leaf, or is removed with one above.
    gone_with : int or None
        For cost-complexity pruning, the node above with which it is removed.
    verdict : {"leaf", "branch", "stays", "gone"}
        The result: the node becomes a leaf, is replaced by its heaviest branch, stays as it was, or is gone
        because a node above it became a leaf.
    """

    step: int | None
    node: int
    n_leaves: int
    weight: float
    errors: float
    as_leaf: float
    as_subtree: float
    terms: tuple[float, ...] = ()
    branch: int | None = None
    as_branch: float | None = None
    branch_terms: tuple[float, ...] = ()
    price: float | None = None
    cut_at: float | None = None
    gone_with: int | None = None
    verdict: PruningVerdict = "stays"


@dataclass(frozen=True, slots=True)
class Whole:
    """Figures of the whole tree, which the arithmetic of a row refers to.

    Parameters
    ----------
    weight : float
        Weight of all rows that were counted.
    prior : float
        Share of the node's class among all rows of the tree.
    n_classes : int
        Number of classes.
    counts_errors : bool
        Whether the cost of held-out rows is the number of errors.
    """

    weight: float
    prior: float
    n_classes: int
    counts_errors: bool


def verdict_of(pruner: Pruner, row: PruningRow, say: Say) -> str:
    """Say what happened to a node."""
    if row.verdict == "gone":
        return say("goes with node {node}", node=row.gone_with)
    if row.verdict == "branch":
        return say("branch {node} takes its place", node=row.branch)
    if isinstance(pruner, PrePruning):
        return say("stays a leaf" if row.verdict == "leaf" else "is split")
    return say("becomes a leaf" if row.verdict == "leaf" else "stays")


def formula_of(pruner: Pruner, row: PruningRow, whole: Whole, say: Say) -> str:
    """Write out the arithmetic of a row: a line for each side, and one with the result."""
    match pruner:
        case CostComplexity():
            return _price(row, whole)
        case ErrorBased():
            leaf, subtree = _expected(row.weight, row.errors, pruner), _sum(row.terms)
        case Pessimistic():
            leaf, subtree = f"{_score(row.errors)} + 1/2", _with_standard_error(row, pruner)
        case MinimumError():
            leaf, subtree = _by_prior(row, pruner, whole), _sum(row.terms)
        case _:
            return _on_held_out_rows(pruner, row, whole, say)
    as_leaf, as_subtree = format_score(row.as_leaf), format_score(row.as_subtree)
    lines = [f"{say('leaf')}: {leaf} = {as_leaf}", f"{say('subtree')}: {subtree} = {as_subtree}"]
    others = [as_subtree]
    if row.as_branch is not None:
        others.append(format_score(row.as_branch))
        terms = row.branch_terms
        sum_of = f"{_sum(terms)} = " if len(terms) > 1 else ""
        lines.append(f"{say('branch')} {row.branch}: {sum_of}{others[-1]}")
    best = format_score(
        row.as_branch if row.verdict == "branch" and row.as_branch is not None else row.as_leaf
    )
    slack = f" + {format_number(pruner.slack)}" if isinstance(pruner, ErrorBased) else ""
    if row.verdict == "leaf":
        tests = [f"{best} <= {other}{slack}" for other in others]
    elif row.verdict == "branch":
        tests = [f"{best} <= {as_subtree}{slack}"]
    else:
        tests = [f"{as_leaf} > {as_subtree}{slack}"]
    return "\n".join([*lines, f"{', '.join(tests)}: {verdict_of(pruner, row, say)}"])


def _price(row: PruningRow, whole: Whole) -> str:
    leaf, subtree = format_score(row.as_leaf), format_score(row.as_subtree)
    weight, t = format_weight(whole.weight), row.node
    return (
        f"R(t) = {_score(row.errors)}/{weight} = {leaf}\n"
        f"R(T) = {_sum(row.terms)} = {subtree}\n"
        f"g({t}) = (R(t) − R(T)) / (|T| − 1) = ({leaf} − {subtree}) / ({row.n_leaves} − 1) = "
        f"{format_score(row.price or 0.0)}"
    )


def _expected(n: float, errors: float, pruner: ErrorBased) -> str:
    """Write the upper limit of a leaf's errors, as `treewright._core.Pessimism` computes it."""
    N, e, CF = format_weight(n), format_weight(errors), format_number(pruner.confidence)
    none = f"{N} × (1 − {CF}^(1/{N}))"
    if pruner.confidence > pruner.most_confident:
        return e
    if errors <= pruner.no_errors:
        return none
    if errors < pruner.one_error:
        return f"{none} + {e} × ({_expected(n, 1.0, pruner)} − {none})"
    if errors + 0.5 >= n:
        return f"{e} + {format_number(pruner.all_wrong)} × ({N} − {e})"
    f, c = format_weight(errors + 0.5), format_score(pruner.z**2)
    return f"{N} × ({f} + {c}/2 + √({c} × ({f} × (1 − {f}/{N}) + {c}/4))) / ({N} + {c})"


def _with_standard_error(row: PruningRow, pruner: Pessimistic) -> str:
    errors, halves, _ = row.terms
    E, N = format_score(errors + halves), format_weight(row.weight)
    times = "" if pruner.standard_errors == 1 else f"{format_number(pruner.standard_errors)} × "
    return f"E = {_score(errors)} + {row.n_leaves}/2 = {E}; E + {times}√({E} × ({N} − {E}) / {N})"


def _by_prior(row: PruningRow, pruner: MinimumError, whole: Whole) -> str:
    N, e = format_weight(row.weight), _score(row.errors)
    m, p = (whole.n_classes, 1 / whole.n_classes) if pruner.m is None else (pruner.m, whole.prior)
    return f"{N} × ({e} + {format_number(m)} × (1 − {format_score(p)})) / ({N} + {format_number(m)})"


def _on_held_out_rows(pruner: Pruner, row: PruningRow, whole: Whole, say: Say) -> str:
    """Write the accuracy, or the mean cost, of the whole tree with the node as a leaf and with its split."""
    n = format_weight(whole.weight)

    def share(cost: float) -> str:
        if whole.counts_errors:
            right = format_percent(1 - cost / whole.weight, decimals=1)
            return f"({n} − {_score(cost)}) / {n} = {right}"
        return f"{_score(cost)} / {n} = {format_score(cost / whole.weight)}"

    before, after = ("before", "after") if isinstance(pruner, PrePruning) else ("leaf", "subtree")
    lines = [f"{say(before)}: {share(row.as_leaf)}", f"{say(after)}: {share(row.as_subtree)}"]
    return "\n".join([*lines, verdict_of(pruner, row, say)])


def _sum(terms: tuple[float, ...]) -> str:
    return " + ".join(map(format_score, terms))


def _score(value: float) -> str:
    """Write errors: whole numbers as such, others as scores."""
    return format_weight(value) if abs(value - round(value)) < 1e-9 else format_score(value)
