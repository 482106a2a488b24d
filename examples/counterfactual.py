"""What would have to be different? The least change of a row that changes the answer."""

import treewright as tw
from treewright.errors import UnreachableError

RULE = "-" * 72

columns, target = tw.datasets.load("golf")
golf = tw.C45Classifier().fit(columns, target)
day = {"outlook": "sunny", "temperature": 80, "humidity": 90, "windy": "true"}

print(golf.to_text())
print(f"{RULE}\nNo golf today. What would have helped?\n")
print(golf.counterfactual(day))

print(f"{RULE}\nNobody changes the sky:\n")
change = golf.counterfactual(day, keep=["outlook"])
print(change)
print(f"\nThe changed day: {change.row}")
print(f"The tree says:   {golf.predict({name: [value] for name, value in change.row.items()})[0]}")

print(f"{RULE}\nNor the wet air:\n")
try:
    golf.counterfactual(day, keep=["outlook", "humidity"])
except UnreachableError as error:
    print(error)

columns, target = tw.datasets.load("watermelon_30")
is_good = [1.0 if answer == "是" else 0.0 for answer in columns.pop(target)]
melons = tw.DecisionTreeRegressor(max_depth=3).fit(columns, is_good)
melon = {name: values[-1] for name, values in columns.items()}

print(f"{RULE}\nA number to be reached, here the share of good melons, by its range:\n")
print(melons.counterfactual(melon, target=(0.9, None)))
