"""CPU time and peak memory of fits, one thread."""

import time

from treewright import C45Classifier, CARTClassifier, DecisionTreeClassifier, DecisionTreeRegressor

from . import tables

DEPTHS = [8, None]


class _Timed:
    """asv's settings: CPU time of this process, which is steadier than the clock on the wall."""

    timer = time.process_time
    n_rows = 100_000
    rounds = 2
    warmup_time = 0


class FitClasses(_Timed):
    """Gini on numbers without gaps: the plain case."""

    params = (DEPTHS, [2, 26])
    param_names = ("max_depth", "n_classes")

    def setup(self, max_depth, n_classes):
        self.X, self.y = tables.classes(self.n_rows, n_classes)

    def time_fit(self, max_depth, n_classes):
        DecisionTreeClassifier(max_depth=max_depth, n_jobs=1).fit(self.X, self.y)


class FitNumbers(_Timed):
    """Regression, by squares and by absolute error."""

    params = (DEPTHS, ["squared_error", "absolute_error"])
    param_names = ("max_depth", "criterion")

    def setup(self, max_depth, criterion):
        n_rows = self.n_rows if criterion == "squared_error" else self.n_rows // 10
        self.X, self.y = tables.numbers(n_rows)

    def time_fit(self, max_depth, criterion):
        DecisionTreeRegressor(criterion=criterion, max_depth=max_depth, n_jobs=1).fit(self.X, self.y)


class FitOtherTables(_Timed):
    """Weights, gaps and categories."""

    params = ("float32", "weights", "gaps, learned", "gaps, spread", "10 categories", "1000 categories")
    param_names = ("table",)

    def setup(self, table):
        self.X, self.y = tables.classes(self.n_rows)
        self.weights, self.options = None, {}
        kind, _, policy = table.partition(", ")
        if table == "float32":
            self.X = self.X.astype("float32", order="F")
        elif table == "weights":
            self.weights = 0.5 + (self.X[:, -1] > 0)
        elif kind == "gaps":
            self.X = tables.with_gaps(self.X)
            self.options = {"missing": policy}
        else:
            self.X = tables.categories(self.X, int(table.split()[0]))
            self.options = {"categorical_features": list(range(self.X.shape[1]))}

    def time_fit(self, table):
        tree = DecisionTreeClassifier(max_depth=8, n_jobs=1, **self.options)
        tree.fit(self.X, self.y, sample_weight=self.weights)


class FitRecipes(_Timed):
    """C4.5 and CART, pruning included."""

    n_rows = 10_000

    def setup(self):
        self.X, self.y = tables.classes(self.n_rows)
        self.X = tables.with_gaps(self.X)

    def time_c45(self):
        C45Classifier(n_jobs=1).fit(self.X, self.y)

    def time_cart(self):
        CARTClassifier(n_jobs=1, cv=3, random_state=0).fit(self.X, self.y)


class FitTiny:
    """What a fit costs before its table has any size."""

    def setup(self):
        self.X, self.y = tables.classes(150)

    def time_fit(self):
        DecisionTreeClassifier(n_jobs=1).fit(self.X, self.y)


class FitMemory:
    """The high-water mark of a process that fits, the table of 16 MB included."""

    n_rows = 100_000

    def setup(self):
        self.X, self.y = tables.classes(self.n_rows)

    def peakmem_depth_8(self):
        DecisionTreeClassifier(max_depth=8, n_jobs=1).fit(self.X, self.y)

    def peakmem_fully_grown(self):
        DecisionTreeClassifier(n_jobs=1).fit(self.X, self.y)
