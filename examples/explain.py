"""Why does the tree say so? Explanations of single rows, with values known and missing.

Golf is Quinlan's table of fourteen days, the watermelons are Zhou's (table 4.4, with gaps).
"""

import treewright as tw

RULE = "-" * 72

columns, target = tw.datasets.load("golf")
golf = tw.C45Classifier().fit(columns, target)
day = {"outlook": "sunny", "temperature": 80, "humidity": 90, "windy": "true"}

print(golf.to_text())
print(f"{RULE}\nA sunny and humid day:\n")
print(golf.explain(day))

print(f"{RULE}\nThe same day, but nobody looked at the sky; C4.5 goes down every branch:\n")
print(golf.explain({**day, "outlook": None}))

columns, target = tw.datasets.load("watermelon_20a")
melons = tw.CARTClassifier(prune=None).fit(columns, target)
melon = {name: values[0] for name, values in columns.items() if name != target}

print(f"{RULE}\nA melon whose texture (纹理) is not known; CART asks another column instead:\n")
print(melons.explain({**melon, "纹理": None}))

# What was printed is there as numbers, too.
explanation = golf.explain(day)
print(f"{RULE}\nShapley values of every class:\n")
for column, values in explanation.to_dict()["shapley"].items():
    print(f"{column:12}", "  ".join(f"{label} {value:+.3f}" for label, value in values.items()))
total = explanation.expected + explanation.shapley.sum(axis=0)
print(f"\nWith what is expected of any day they add up to {total.round(3).tolist()},")
print(f"and the tree gives the classes {explanation.prediction.tolist()}.")
