"""Tables from disk: CSV and TSV, JSON lines, ARFF, C4.5's own files, Parquet and Arrow.

`reader` is the door. Text goes the same way whoever parses it: `source` gives bytes, `text` makes them UTF-8,
`dialect` finds out how cells are written, `rows` cuts the bytes where rows end, and a block of whole rows is
parsed by `arrow_rows` (pyarrow, quick) or by `plain_rows` (Python's csv module); `cells` says what a text
means. Only `plain_rows` judges: a block that pyarrow does not take is read again by it, so both give the same
values and the same errors.
"""
