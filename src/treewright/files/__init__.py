"""Tables from disk: CSV and TSV, JSON lines, ARFF, C4.5's own files, Parquet and Arrow.

Callers use `reader` and `writer`. Text goes the same way through either parser: `source` gives bytes, `text`
makes them UTF-8, `dialect` finds out how cells are written, `rows` cuts the bytes where rows end, and
`arrow_rows` (pyarrow, quick) or `plain_rows` (Python's csv module) parses a block of whole rows; `cells` says
what a text means. `plain_rows` reads again what pyarrow cannot read, so both give the same values and errors.
"""
