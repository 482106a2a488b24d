"""Slow, obvious second opinions on what the library does. Nothing here is ever shipped."""
