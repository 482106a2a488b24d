"""scikit-learn's words end here: estimators over the rooms above."""
