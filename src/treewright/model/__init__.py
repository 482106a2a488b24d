"""The model: a tree with the schema of its training table. All later rooms only read it."""
