"""Tables from disk: CSV and TSV, JSON lines, ARFF, C4.5's own files, Parquet and Arrow.

Callers use `reader` and `writer`. Text takes the same path with either parser: `source` supplies bytes,
`text` converts them to UTF-8, `dialect` finds out how cells are written, `rows` cuts the bytes between rows,
`arrow_rows` (pyarrow, fast) or `plain_rows` (Python's csv module) parses a block of whole rows, and `cells`
interprets the texts. `plain_rows` reads again any block that pyarrow cannot read, so both give the same
values and errors.
"""
