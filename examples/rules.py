"""Read a tree as rules: what it says about melons, and the same as SQL."""

import treewright as tw

columns, target = tw.datasets.load("watermelon_30")
tree = tw.DecisionTreeClassifier(max_depth=3).fit(columns, target)

print("One rule for each leaf:\n")
rules = tree.rules()
print(rules)

# A rule knows its conditions, its answer, and how far to trust it.
best = max(rules, key=lambda rule: rule.support * (1 - rule.error_bound))
print(f"\nThe rule that says most: {best}.")
print(
    f"It holds for {best.n_rows} melons of {len(columns[target])}; at most {best.error_bound:.0%} "
    "of those to come should be others."
)

print("\nThe same as SQL:\n")
print(rules.to_sql("melons"))

print("\nAs C4.5rules makes them, in order, with a class for the rest:\n")
quinlan = tw.C45Classifier().fit(columns, target)
short = quinlan.rules(kind="c45rules", X=columns, y=target)
print(short)
melons = {name: values for name, values in columns.items() if name != target}
right = sum(short.predict(melons) == columns[target])
print(f"\nright on the melons they were made of: {right} of {len(columns[target])}")
