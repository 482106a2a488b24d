"""An interactive report: a model and rows as a plain dict, and this dict as one HTML page."""
