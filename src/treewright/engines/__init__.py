"""Engines hold and count the rows. No other room touches them."""
