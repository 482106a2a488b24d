"""Which releases of scikit-learn grow the trees that ours are compared with."""

import pytest
import sklearn

# Found by running these tests with 1.6.0, 1.7.0, 1.7.2, 1.8.0 and 1.9.0.
GROWS_THE_SAME_TREES = pytest.mark.skipif(
    tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 9),
    reason="before 1.9 scikit-learn grows other trees with missing values, and with monotone absolute_error",
)
