"""Which releases of scikit-learn grow the trees that ours are compared with."""

import pytest
import sklearn

RELEASE = tuple(map(int, sklearn.__version__.split(".")[:2]))

# Found by running these tests with 1.6.0, 1.7.0, 1.7.2, 1.8.0 and 1.9.0.
GROWS_THE_SAME_TREES = pytest.mark.skipif(
    RELEASE < (1, 9),
    reason="before 1.9 scikit-learn grows other trees with missing values, and with monotone absolute_error",
)
