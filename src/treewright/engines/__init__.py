"""Where rows live and are counted. Only an engine touches them."""
