"""The suite, a file for each kind of work; asv imports this package by itself, away from the repository."""
