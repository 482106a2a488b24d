"""Reports to look at in a browser, and rows to ask them about."""

import csv
import functools
import json
import re
import warnings
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pandas as pd
import pytest

import kinds_of_trees
import treewright as tw
from treewright.errors import UnseenCategoryWarning


def real_table(shared, name):
    """Read a table of the reference data: columns and the name of its target."""
    facts = json.loads((shared / "data" / "datasets.json").read_text("utf-8"))
    facts = facts[name] if isinstance(facts, dict) else next(f for f in facts if f["name"] == name)
    with (shared / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {}
    for column in facts["schema"]:
        values = [row[column["name"]] or None for row in rows]
        if column["type"] == "numeric":
            values = np.array([np.nan if value is None else float(value) for value in values])
        columns[column["name"]] = values
    return columns, facts["target"]


@functools.cache
def watermelon(shared):
    X, y = tw.datasets.load("watermelon_30")
    return tw.C45Classifier(pruning=False, min_cases=1, keep_ledger=True).fit(X, y), X, y


@functools.cache
def adult(shared):
    X, y = real_table(shared, "adult")
    some = {name: values[::8] for name, values in X.items()}
    return tw.C45Classifier(keep_ledger=True).fit(some, y), some, y


@functools.cache
def california(shared):
    X, y = real_table(shared, "california_housing")
    some = {name: values[::6] for name, values in X.items()}
    return tw.CARTRegressor(random_state=0, cv=4, max_depth=8, keep_ledger=True).fit(some, y), some, y


@functools.cache
def many_nodes(shared):
    """Give a tree of some 5,000 nodes: labels drawn at random have to be learned one by one."""
    rng = np.random.default_rng(5)
    X, y = {"x0": rng.random(5000)}, rng.integers(0, 2, 5000)
    return tw.DecisionTreeClassifier().fit(X, y), X, y


MOST_BOXES = 500  # with more nodes than these, only those in view have boxes

REPORTS = {"watermelon": watermelon, "adult": adult, "california": california, "5,000 nodes": many_nodes}


def rows_with_troubles(X, target, n_rows):
    """Take rows of a table, with gaps in every column and categories that nobody has seen."""
    rng = np.random.default_rng(3)
    n = len(next(iter(X.values())))
    picked = rng.integers(0, n, n_rows)
    rows = {}
    for name, values in X.items():
        if name == target:
            continue
        some = [values[at] for at in picked]
        is_text = any(isinstance(value, str) for value in some)
        for at in np.flatnonzero(rng.random(n_rows) < 0.12).tolist():
            some[at] = None if is_text else np.nan
        if is_text:
            for at in np.flatnonzero(rng.random(n_rows) < 0.05).tolist():
                some[at] = "of a kind never seen"
        rows[name] = pd.Series(some, dtype=object if is_text else np.float64)
    return rows


def as_typed(model, rows):
    """Give rows as people would type them into the page, a list of values for each."""
    columns = []
    for column in model.schema.columns:
        kind = column.bins.kind if column.bins else column.kind
        values = rows[column.name]
        columns.append(
            [typed(value, kind) for value in (values if isinstance(values, list) else pd.Series(values))]
        )
    return [list(row) for row in zip(*columns, strict=True)]


def typed(value, kind):
    if value is None or value is pd.NaT or value is pd.NA or value != value:  # noqa: PLR0124 - NaN
        return None
    if kind == "category":
        return str(value)
    if kind == "datetime":
        return str(pd.Timestamp(value))
    if kind == "duration":
        nanoseconds = pd.Timedelta(value).value
        seconds, rest = divmod(abs(nanoseconds), 10**9)
        sign = "-" if nanoseconds < 0 else ""
        return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:09}"
    return str(int(value)) if kind == "integer" else float(value)


def answers(tree, rows):
    """Give what a tree predicts, and its probabilities where it has some."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        predicted = tree.predict(rows)
        if not hasattr(tree, "predict_proba"):
            return predicted.tolist(), [[number] for number in predicted.tolist()]
        return [str(label) for label in predicted.tolist()], tree.predict_proba(rows).tolist()


def report_of(name, shared, folder, **options):
    tree, X, y = REPORTS[name](shared)
    file = folder / f"{name}{''.join(options.values())}.html"
    if not file.exists():
        tree.report(file, X, y, **options)
    return tree, file


def kind_with_rows(name):
    """Give a fitted estimator of a kind, and the rows it was fitted on."""
    kind = kinds_of_trees.KINDS[name]
    table = kinds_of_trees.training_table()
    X = {column: table[column] for column in kind.columns}
    return kinds_of_trees.fitted(name), X, table[kind.target]


def boxes(page):
    return page.locator(".box").count()


def scale(page):
    return float(re.search(r"scale\(([^)]+)\)", page.locator("svg.tree > g").get_attribute("transform"))[1])


def heading(page):
    return page.locator("#panel-node h3").text_content()


def box_of(page, number):
    return page.locator(f".box[data-number='{number}']")


def percent(share):
    """Write a share as the page does."""
    if 0 < share < 0.0005:
        return "<0.1%"
    places = Decimal("0.1") if 0 < share < 0.0995 else Decimal("1")
    return f"{Decimal(share * 100).quantize(places, ROUND_HALF_UP)}%"


def data_of(page):
    """Read the summary that a page holds, as text, which is the quickest way out of a browser."""
    return json.loads(page.evaluate("document.getElementById('treewright-data').textContent"))


def rules_told(page):
    """Read the table of rules: number of the leaf, conditions, answer, rows, share of rows, confidence."""
    return page.evaluate(
        """() => {
          document.querySelectorAll('#rules .fold').forEach(button => button.click());
          return [...document.querySelectorAll('#rules tbody tr')].map(
            row => [...row.cells].map(cell => cell.textContent));
        }"""
    )


def all_rules_told(page):
    """Read the whole table of rules, which has only the lines near those in view."""
    told = page.evaluate(
        """() => {
          const region = document.querySelector('#rules .scroll'), told = new Map();
          const read = () => {
            for (const row of region.querySelectorAll('tbody tr')) {
              const cells = [...row.cells].map(cell => cell.textContent);
              told.set(Number(row.getAttribute('aria-rowindex')), cells);
            }
          };
          return new Promise(done => {
            const step = () => {
              read();
              const before = region.scrollTop;
              region.scrollTop += region.clientHeight;
              if (region.scrollTop === before) return done([...told].sort((a, b) => a[0] - b[0]));
              requestAnimationFrame(() => setTimeout(step));
            };
            step();
          });
        }"""
    )
    assert [at for at, _ in told] == list(range(2, len(told) + 2))
    return [rule for _, rule in told]


def rules_expected(tree, lang="en"):
    """Give what `rules()` says, as the table of rules should have it; numbers as such."""
    return [
        [
            str(rule.path.leaf),
            in_words(rule, lang),
            rule.answer if rule.confidence is None and isinstance(rule.answer, float) else str(rule.answer),
            f"{rule.n_rows:,}",
            percent(rule.support),
            *([] if not tree.tree_.is_classifier else [confidence(rule)]),
        ]
        for rule in tree.rules()
    ]


def confidence(rule):
    return "" if rule.confidence is None else f"{rule.confidence:.3f}"


def in_words(rule, lang="en"):
    """Write the conditions of a rule: its own texts, of which a few words have a Chinese twin."""
    if lang == "en":
        return rule.premise or "(anything)"
    texts = rule.texts
    if len(texts) > 1:
        texts = [f"({text})" if text.endswith(" or missing") else text for text in texts]
    return " 且 ".join(map(in_chinese, texts)) or "（任意）"


def in_chinese(text):
    text = re.sub(r" or missing(?=\)?$)", " 或缺失", text)
    text = re.sub(r" is missing$", " 缺失", text)
    text = re.sub(r" is known$", " 已知", text)
    return re.sub(r" in \{", " ∈ {", text)


def assert_same_rules(told, expected):
    """Compare rules; answers that are numbers are told with six digits."""
    assert len(told) == len(expected)
    for line, other in zip(told, expected, strict=True):
        one = line[: len(other)]  # of rows other than the training table there is more
        if isinstance(other[2], float):
            assert float(one[2].replace(",", "")) == pytest.approx(other[2], rel=1e-5, abs=1e-5)
            assert [*one[:2], *one[3:]] == [*other[:2], *other[3:]]
        else:
            assert one == other
