"""From a table to a model: read, encode, grow, prune."""
