"""One page to hand over: a model and its rows as a plain dict, and that dict as a page that stands alone."""
