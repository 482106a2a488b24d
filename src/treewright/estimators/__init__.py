"""The estimators. scikit-learn's names and conventions are used only in this room."""
