"""Any data in, codes out: read a table, infer the kind of its columns, encode them for the core.

Data is read in place wherever it can be and never changed.
"""
