"""Numbers and dates in everyday dress, from the command that learns them to the one that predicts."""

import json

import pytest

from cli.commands import refused, run
from treewright.model import files

ROWS = [
    ";".join(
        (
            f'"{1000 * at + 0.5:,.2f}"',
            f"{at}.5%",
            f"{at % 12 + 1:02}/{at % 28 + 1:02}/2020",
            f"{at % 5 + 5 * (at >= 15):05}",
            f"{at}.{at:03}",
            "no" if at < 15 else "yes",
        )
    )
    for at in range(1, 31)
]
TABLE = "amount;rate;day;code;twice;y\n" + "\n".join(ROWS) + "\n"


@pytest.fixture
def fitted(tmp_path):
    """A function that fits a model on some of the columns, and gives its file and what was said."""
    (tmp_path / "t.csv").write_text(TABLE, "utf-8")

    def fit(*words, only):
        drop = [f"--drop={name}" for name in ("amount", "rate", "day", "code", "twice") if name != only]
        model = tmp_path / f"{only}.tw.json"
        ran = run(
            "fit",
            tmp_path / "t.csv",
            "--target",
            "y",
            "--folds",
            0,
            "-o",
            model,
            *words,
            *drop,
            "--force",
            "--json",
        )
        assert ran.status == 0, ran.said
        return model, ran

    return fit


def test_the_report_tells_what_was_recognised_and_what_reads_two_ways(fitted):
    _, ran = fitted(only="amount")
    assert "  amount: '10,000.50' is read as 10000.5\n" in ran.said
    assert "  rate: '10.5%' is read as 10.5\n" in ran.said
    assert "  day: '02/02/2020' is read as 2020-02-02\n" in ran.said
    assert "  code: '00000' has zeros in front, so it stays text; --kind NAME=numeric" in ran.said
    assert (
        "  twice: '1.001' is 1.001 (--decimal .) or 1001 (--thousands .); it stays a category\n" in ran.said
    )
    kinds = {each["name"]: (each["kind"], each["note"] is None) for each in json.loads(ran.out)["columns"]}
    assert kinds == {
        "amount": ("number", False),
        "rate": ("number", False),
        "day": ("datetime", False),
        "code": ("category", False),
        "twice": ("category", False),
        "y": ("category", True),
    }


def test_options_decide(fitted):
    words = ("--thousands", ".", "--percent", "fraction", "--text", "amount", "--kind", "code=numeric")
    _, ran = fitted(*words, "--missing", "02/02/2020", only="twice")
    columns = {each["name"]: each for each in json.loads(ran.out)["columns"]}
    assert [columns[name]["kind"] for name in ("amount", "code", "twice")] == ["category", "number", "number"]
    assert (columns["twice"]["note"], columns["rate"]["note"]) == (
        "'10.010' is read as 10010",
        "'10.5%' is read as 0.105",
    )
    assert columns["day"]["missing"] == 1


def test_options_that_cannot_be_are_refused(fitted, tmp_path):
    words = ("fit", tmp_path / "t.csv", "--target", "y")
    fitted(only="rate")
    refused(
        run(*words, "--kind", "twice=numeric"), 1, "'1.001' is 1.001 (--decimal .) or 1001 (--thousands .)"
    )
    refused(run(*words, "--kind", "rate=datetime"), 1, "column 'rate' holds '1.5%' in row 1")
    refused(run(*words, "--thousands", "x"), 2, "--thousands x is not one of")
    refused(run(*words, "--text", "rate", "--kind", "rate=numeric"), 2, "--kind and to --text")
    refused(run(*words, "--text", "rates"), 1, "'rates'", "Did you mean 'rate'?")
    assert run(*words, "--percent", "ratio").status == 2


@pytest.mark.parametrize(
    ("only", "low", "high"),
    [
        ("amount", '"1,000"', '"20,000"'),
        ("amount", "1000", "20000.0"),
        ("rate", "1%", "20.5 %"),
        ("rate", "1", "20.5"),
        ("code", "00003", "00007"),
    ],
)
def test_new_rows_are_read_as_the_training_rows_were(fitted, only, low, high):
    model, _ = fitted(only=only)
    ran = run("predict", model, "-", stdin=f"{only};z\n{low};1\n{high};1\n".encode())
    assert ran.out.splitlines() == ["prediction", "no", "yes"], ran.said
    ran = run("evaluate", model, "-", "--json", stdin=f"{only};y\n{low};no\n{high};yes\n".encode())
    assert json.loads(ran.out)["accuracy"]["value"] == 1, ran.said


def test_a_single_date_is_read_in_the_order_of_the_training_table(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.tw.json"
    days = [(month, day) for month in range(1, 13) for day in (1, 9, 20)]
    for order, early, late in (
        ("{1:02}/{0:02}/2020", "09/03", "03/09"),
        ("{0:02}/{1:02}/2020", "03/09", "09/03"),
    ):
        rows = [f"{order.format(*each)},{'early' if each[0] < 6 else 'late'}" for each in days]
        table.write_text("day,y\n" + "\n".join(rows) + "\n")
        assert run("fit", table, "--target", "y", "--folds", 0, "-o", model, "--force").status == 0
        notation = "%d/%m/%Y" if order[1] == "1" else "%m/%d/%Y"
        assert files.read(model).model.schema.columns[0].notation == notation
        for day, answer in ((early, "early"), (late, "late")):
            ran = run("predict", model, "-", stdin=f"day\n{day}/2020\n".encode())
            assert ran.out.splitlines() == ["prediction", answer], (order, ran.said)


def test_fractions_stay_fractions_without_saying_so_again(fitted):
    model, _ = fitted("--percent", "fraction", only="rate")
    tree = files.read(model).model
    assert tree.tree.cut[0] == pytest.approx(0.15, abs=0.01)
    assert run("predict", model, "-", stdin=b"rate\n3%\n20%\n").out.splitlines() == [
        "prediction",
        "no",
        "yes",
    ]


def test_new_rows_in_another_unit_are_refused(fitted):
    model, _ = fitted(only="rate")
    ran = run("predict", model, "-", stdin="rate\n5 €\n".encode())
    refused(ran, 1, "does not fit", "column 'rate' holds '5 €' in row 1, which is not a number")
