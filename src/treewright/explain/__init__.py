"""Why the tree answers as it does. Everything here reads a model, and nothing but a model."""
