"""The model, written down."""
