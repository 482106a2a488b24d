"""Costs: the prior probabilities of the classes, and what each error costs."""

import math
from dataclasses import dataclass

from treewright.errors import ParameterError
from treewright.formatting import format_number
from treewright.parts.part import Part

_NEAR_ONE = 1e-9


@dataclass(frozen=True, slots=True)
class Costs(Part):
    """Priors of the classes, and the loss of predicting one class where another is true.

    Parameters
    ----------
    prior : tuple of float, optional
        Prior probability of each class, positive, with sum 1. None: as in the training rows.
    loss : tuple of tuples of float, optional
        A row for each true class, a column for each predicted class; 0 on the diagonal, and above 0 somewhere
        in each row. None: every error costs 1.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 4.4.

    Examples
    --------
    >>> Costs(prior=(0.8, 0.2), loss=((0.0, 1.0), (5.0, 0.0))).altered_by
    (1.0, 5.0)
    >>> Costs(prior=(0.8, 0.3))
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: prior sums to 1.1; give positive numbers that sum to 1.
    """

    suits = ("classes",)

    prior: tuple[float, ...] | None = None
    loss: tuple[tuple[float, ...], ...] | None = None

    def _check(self) -> None:
        for position, share in enumerate(self.prior or ()):
            if not 0 < share < math.inf:
                raise ParameterError(
                    f"prior holds {share} for class number {position}; give positive numbers that sum to 1."
                )
        total = 1.0 if self.prior is None else math.fsum(self.prior)
        if abs(total - 1.0) > _NEAR_ONE:
            raise ParameterError(
                f"prior sums to {format_number(total, digits=12)}; give positive numbers that sum to 1."
            )
        loss = self.loss or ()
        for true, costs in enumerate(loss):
            if len(costs) != len(loss):
                raise ParameterError(
                    f"loss has {len(loss)} rows and {len(costs)} columns in row {true}; give a square matrix."
                )
            for answer, cost in enumerate(costs):
                if not 0 <= cost < math.inf:
                    raise ParameterError(
                        f"loss holds {cost} in row {true}, column {answer}; "
                        "a loss is finite and not negative."
                    )
            if costs[true] != 0:
                raise ParameterError(
                    f"loss holds {costs[true]} in row {true}, column {true}; the right answer costs 0."
                )
            if not any(costs):
                raise ParameterError(
                    f"loss holds nothing but 0 in row {true}: mistaking this class would cost nothing. Leave "
                    "it out, or let one of its errors cost something."
                )

    @property
    def altered_by(self) -> tuple[float, ...] | None:
        """Factor of each class's prior in growing: the sum of the costs of its errors."""
        return None if self.loss is None else tuple(map(math.fsum, self.loss))
