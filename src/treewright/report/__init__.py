"""An interactive report: a model and rows as a plain dict, and that dict as one HTML page."""
