"""Explain a model: why it answers as it does. Everything here only reads a model."""
