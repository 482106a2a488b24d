"""The commands: from a table on disk to a tree that is understood and used, without a line of Python.

Data goes to standard output, words to standard error. Whatever is heavy is imported inside the function that
needs it, so that ``treewright --help`` answers at once and ``predict`` loads no scikit-learn.
"""
