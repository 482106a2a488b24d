"""The choices a tree is grown with, as small values.

A part says *which* criterion, splitter, order and so on; how it is done is the core's business.
"""
