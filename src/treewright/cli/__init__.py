"""The commands: from a table on disk to a tree without writing Python.

Data goes to standard output, messages to standard error. A command's module is imported when it runs.
"""
