"""Match the columns of a new table to those that a model was trained on: by name, else by position."""

from collections.abc import Sequence

import numpy as np

from treewright.errors import ColumnError, TableError, did_you_mean, listed
from treewright.schema import Schema
from treewright.table.read import Raw, Table


def match(table: Table, schema: Schema) -> Sequence[Raw]:
    """Return the table's columns in the order of the schema.

    If both have names, columns match by name in any order, and the target may be present if it was a column
    of the training table. Otherwise they match by position.

    Raises
    ------
    ColumnError
        If columns are missing or did not exist in training; the text names them and the nearest known name.
    TableError
        If the number of columns differs.

    Examples
    --------
    >>> from treewright.schema import Column, Numbers
    >>> from treewright.table.read import read
    >>> schema = Schema((Column("age"), Column("income")), Numbers())
    >>> [raw.values.tolist() for raw in match(read({"income": [1.5], "age": [31]}), schema)]
    [[31], [1.5]]
    """
    names = schema.names
    if not table.has_names or not (schema.has_names or set(table.names) >= set(names)):
        if len(table.columns) != len(names):
            had = f"the training table had {len(names)}: {listed(names)}"
            raise TableError(f"the table has {len(table.columns)} columns, {had}.")
        return table.columns
    if table.names == names:
        return table.columns
    refuse_other_names(table, schema)
    column_of = dict(zip(table.names, table.columns, strict=True))
    absent = Raw(np.full(table.n_rows, np.nan))
    return [column_of.get(name, absent) for name in names]  # only left-out columns may be absent


def refuse_other_names(table: Table, schema: Schema) -> None:
    """Raise if columns of the schema are missing from the table, or if it has other columns.

    Columns that were left out of the tree need not be present.
    """
    there = set(table.names)
    absent = [each.name for each in schema.columns if each.name not in there and not each.is_left_out]
    known = {*schema.names, schema.target_name}
    surplus = [name for name in table.names if name not in known]
    if absent:
        hint = did_you_mean(absent[0], surplus).replace("Did you mean", "Is it now called")
        raise ColumnError(f"missing from the table: column {listed(absent)}, present in training.{hint}")
    if surplus:
        hint = did_you_mean(surplus[0], schema.names) or " Drop the columns that the model does not know."
        raise ColumnError(f"absent in training: column {listed(surplus)}.{hint}")
