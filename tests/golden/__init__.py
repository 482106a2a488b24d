"""Trees that other programs grew, kept as files beside the repository."""
