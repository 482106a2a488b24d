"""Time of answers: many rows, and one."""

from treewright import DecisionTreeClassifier

from . import tables


class PredictMany:
    """A batch, one thread."""

    params = ([8, None], ["plain", "gaps", "categories"])
    param_names = ("max_depth", "table")
    n_rows = 100_000

    def setup(self, max_depth, table):
        X, y = tables.classes(self.n_rows)
        options = {}
        if table == "gaps":
            X = tables.with_gaps(X)
        elif table == "categories":
            X, options = tables.categories(X, 50), {"categorical_features": list(range(X.shape[1]))}
        self.X = X
        self.tree = DecisionTreeClassifier(max_depth=max_depth, n_jobs=1, **options).fit(X, y)

    def time_predict(self, max_depth, table):
        self.tree.predict(self.X)

    def time_predict_proba(self, max_depth, table):
        self.tree.predict_proba(self.X)


class PredictOne:
    """One row: what a call costs."""

    n_rows = 10_000

    def setup(self):
        X, y = tables.classes(self.n_rows)
        names = [f"x{at}" for at in range(X.shape[1])]
        self.array = DecisionTreeClassifier(max_depth=8, n_jobs=1).fit(X, y)
        self.named = DecisionTreeClassifier(max_depth=8, n_jobs=1).fit(dict(zip(names, X.T, strict=True)), y)
        self.row = X[:1].copy()
        self.as_dict = {name: [float(value)] for name, value in zip(names, self.row[0], strict=True)}

    def time_array(self):
        self.array.predict(self.row)

    def time_dict(self):
        self.named.predict(self.as_dict)
