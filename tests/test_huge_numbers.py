"""Numbers beyond 64 bits or beyond float64: exact, or refused with the value, the place and what to do."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import CARTRegressor, DecisionTreeClassifier, DecisionTreeRegressor, information
from treewright.errors import ColumnError, ParameterError, TargetError, TreewrightError, WeightError
from treewright.table.read import read_values
from treewright.table.target import read_classes

X = {"a": [1.0, 2.0, 3.0, 4.0]}
CONTAINERS = {
    "list": list,
    "objects": lambda values: np.array(values, dtype=object),
    "pandas": lambda values: pd.Series(values, dtype=object),
    "polars": lambda values: pl.Series(values, dtype=pl.Object),
    "categorical": lambda values: pd.Series(
        pd.Categorical.from_codes(range(len(values)), categories=pd.Index(values, dtype=object))
    ),
}
IN_EVERY_CONTAINER = pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
HUGE = {
    "a whole number": (10**400, r"1\.000e\+400"),
    "one that Python does not write": (-(10**5000), r"-1\.000e\+5000"),
    "a fraction": (Fraction(10**400, 3), r"3\.333e\+399"),
    "a decimal": (Decimal("1e400"), r"1E\+400"),
}
OF_EVERY_KIND = pytest.mark.parametrize(("value", "text"), HUGE.values(), ids=HUGE)


@IN_EVERY_CONTAINER
@pytest.mark.parametrize(
    "labels", [[2**63 + 1, 1, 2**63 + 3, 2], [2**64 - 1, 0, 2**64 - 2, 1], [-(2**63), 2**63 - 1, 0, 1]]
)
def test_classes_of_64_bits_are_told_apart(make, labels):
    tree = DecisionTreeClassifier().fit(X, make(labels))
    assert tree.classes_.tolist() == sorted(labels)
    assert tree.predict(X).tolist() == labels


@IN_EVERY_CONTAINER
@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ([1, 2**64, 2, 3], "holds 18446744073709551616 in row 1"),
        ([1, 2, -(2**63) - 1, 3], "holds -9223372036854775809 in row 2"),
        ([-1, 2, 2**63 + 1, 3], "holds 9223372036854775809 in row 2"),
        ([1, 10**400, 2, 3], r"holds 1\.000e\+400 in row 1"),
        ([1, 10**5000, 2, 3], r"holds 1\.000e\+5000 in row 1"),
        ([1.0, 10**400, 2.0, 3.0], r"holds 1\.000e\+400 in row 1.*floats"),
        ([1.0, 2.0, 2**53 + 1, 2**53 + 4], "holds 9007199254740993 in row 2.*floats"),
    ],
    ids=["above", "below", "of either sign", "large", "larger", "large among floats", "rounded among floats"],
)
def test_classes_beyond_64_bits_are_refused(make, labels, text):
    with pytest.raises(TargetError, match=f"{text}.*[Tt]urn"):
        DecisionTreeClassifier().fit(X, make(labels))


def test_classes_that_floats_hold_may_stand_among_them():
    coded = read_classes(read_values([2**60, 1.0, 2**60, 3])[0])
    assert coded.labels.tolist() == [1.0, 3.0, 2.0**60]
    assert coded.codes.tolist() == [2, 0, 2, 1]


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="this polars has no integers of 128 bits")
def test_classes_of_an_integer_type_wider_than_64_bits():
    labels = pl.Series([1, 2**100, 2, 3], dtype=pl.Int128)
    with pytest.raises(TargetError, match="holds 1267650600228229401496703205376 in row 1"):
        DecisionTreeClassifier().fit(X, labels)


@IN_EVERY_CONTAINER
@OF_EVERY_KIND
def test_numbers_beyond_a_float_are_refused_wherever_they_stand(make, value, text):
    values = make([1, 2, value, 3])
    with pytest.raises(TargetError, match=f"{text}.* in row 2"):
        CARTRegressor().fit(X, values)
    with pytest.raises(WeightError, match=f"sample_weight.*{text}.* in row 2"):
        DecisionTreeClassifier().fit(X, [0, 0, 1, 1], sample_weight=values)
    if not hasattr(values, "cat"):  # in a column these would be categories, and exact
        with pytest.raises(ColumnError, match=f"column 'a' holds .*{text}.* in row 2.*scale it down"):
            DecisionTreeClassifier().fit({"a": values}, [0, 0, 1, 1])
    tree = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    with pytest.raises(ColumnError, match=f"column 'a' holds .*{text}.* in row 2"):
        tree.predict({"a": values})


@OF_EVERY_KIND
def test_one_row_with_a_number_beyond_a_float(value, text):
    tree = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    for ask in (tree.predict, tree.predict_proba, tree.explain):
        for row in ({"a": value}, {"a": [value]}):
            with pytest.raises(ColumnError, match=text):
                ask(row)


def test_lists_of_lists_with_a_number_beyond_a_float():
    with pytest.raises(ColumnError, match=r"column 'x1' holds 1\.000e\+400 in row 1"):
        DecisionTreeClassifier().fit([[1, 2], [3, 10**400]], [0, 1])


def test_a_fraction_beyond_a_float_is_no_category():
    with pytest.raises(ColumnError, match=r"column 'x0' holds 3\.333e\+399 in row 1"):
        DecisionTreeClassifier(categorical_features=[0]).fit([[1], [Fraction(10**400, 3)]], [0, 1])


@pytest.mark.parametrize(
    "value", [10**400, 10**5000, Fraction(10**400, 3)], ids=["large", "larger", "fraction"]
)
def test_weights_priors_and_losses_beyond_a_float(value):
    with pytest.raises(WeightError, match=r"sample_weight is \d\.\d{3}e\+"):
        DecisionTreeClassifier().fit(X, [0, 0, 1, 1], sample_weight=value)
    for parameters in (
        {"class_weight": {0: value}},
        {"prior": [value, 0.5]},
        {"prior": {0: 0.5, 1: value}},
        {"loss": [[0, value], [1, 0]]},
        {"loss": {0: {1: value}, 1: {0: 1}}},
        {"ccp_alpha": value},
    ):
        with pytest.raises(ParameterError, match=r"=\d\.\d{3}e\+\d+ is out of range; give a finite number"):
            DecisionTreeClassifier(**parameters).fit(X, [0, 0, 1, 1])


def test_targets_and_weights_that_are_too_large_to_be_summed_are_refused_by_name():
    with pytest.raises(TargetError, match=r"holds -1e\+200 in row 1.*Scale it down"):
        DecisionTreeRegressor().fit(X, [1.0, -1e200, 2.0, 3.0])
    with pytest.raises(WeightError, match=r"sample_weight holds 1e\+200 in row 3"):
        DecisionTreeClassifier().fit(X, [0, 0, 1, 1], sample_weight=[1, 1, 1, 1e200])
    with pytest.raises(WeightError, match=r"sample_weight × class_weight holds \S*e\+1\d\d in row 2"):
        DecisionTreeClassifier(class_weight={1: 1e90}).fit(X, [0, 0, 1, 1], sample_weight=[1, 1, 1e90, 1])


def test_lists_and_arrays_of_unsigned_integers_are_read_alike():
    trained = DecisionTreeClassifier().fit({"a": [2**53 + 1, 2**53 + 2]}, [0, 1])
    large = [2**64 - 1, 2**63 + 1]
    assert (
        trained.predict({"a": large}).tolist() == trained.predict({"a": np.array(large)}).tolist() == [1, 1]
    )
    for column in (large, np.array(large)):
        with pytest.raises(ColumnError, match="column 'a' holds 18446744073709551615 in row 0, beyond"):
            DecisionTreeClassifier().fit({"a": column}, [0, 1])


def test_measures_refuse_counts_beyond_a_float_and_take_any_base():
    with pytest.raises(TreewrightError, match="counts must be numbers"):
        information.entropy(counts=[1, 10**400])
    assert information.entropy(["a", "b"], base=10**400) == pytest.approx(np.log10(2) / 400)
