"""The walk: read, encode, grow, prune, and there is a model."""
