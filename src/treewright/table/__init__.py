"""From any data to codes: read a table, infer the kinds of its columns, encode them for the core.

Data is read in place if possible, and is never changed.
"""
