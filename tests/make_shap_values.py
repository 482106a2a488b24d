"""Record what the `shap` package answers, for `explain/test_shapley.py`.

Run by hand where shap is installed (it brings 200 MB along, so the tests do not ask for it)::

    pip install shap && python tests/make_shap_values.py

Trees are grown here and handed to shap as scikit-learn trees that predict the same.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from shap_trees import TREES, fitted, small_trees

FILE = Path(__file__).parent / "explain" / "shap_values.json"


def main() -> None:
    """Ask shap about every tree and write the answers down."""
    import shap

    def ask(tree: Any, rows: np.ndarray) -> dict[str, Any]:
        explainer = shap.TreeExplainer(tree.to_sklearn(), feature_perturbation="tree_path_dependent")
        return {
            "expected": np.atleast_1d(explainer.expected_value).tolist(),
            "values": np.asarray(explainer.shap_values(rows, check_additivity=True)).tolist(),
        }

    answers = {name: ask(*fitted(name)) for name in TREES}
    small = [ask(tree, row)["values"] for tree, row in small_trees()]
    kept = {"shap": shap.__version__, "trees": answers, "small trees": small}
    text = json.dumps(kept, indent=0).replace("\n", "")
    FILE.write_text(text.replace('], "', '],\n"').replace("]],[[", "]],\n[[") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
