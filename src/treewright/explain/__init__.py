"""Explain why a model predicts as it does. Everything here only reads the model."""
