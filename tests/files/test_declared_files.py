"""ARFF and C4.5's own files: every feature of the formats, and random tables written and read again."""

import numpy as np
import pytest

from files.written import as_values
from treewright.files.reader import read_batches, read_file

ARFF = r"""
% a comment, and a blank line above
@RELATION 'my relation'

@ATTRIBUTE outlook {sunny, 'over cast', "it's", 'a,b', "100%", '?'}   % its values
@attribute 'temp (°C)' REAL
@Attribute	count	integer
@attribute note STRING
@attribute "day" date "yyyy-MM-dd HH:mm"
@attribute at DATE
@attribute play {yes,no}
@DATA
sunny, 85.5, 3, 'he said \'hi\'', "2024-01-02 03:04", 2024-02-29T12:00:00, no
'over cast',?,?,?,?,?,yes   % said at the end
"it's",-1e3,-7,"a \"b\" \\ c",?,?,?
'a,b',.5,0,plain text,?,?,no
"100%",1,1,'%',?,?,no

{1 -3, 6 no}
{}
{0 'over cast', 1 ?, 2 5, 3 "x y", 5 '2024-02-29T12:00:00'}  % sparse
'?',1,1,'?',?,?,yes
"""

NAMES = r"""| The golf table, and more.
Play, Don't Play,
  Stay\, home.        | three classes

outlook:   sunny, overcast,
           rain.
temperature: continuous. | degrees
humid\:ity: continuous
St\. Louis: ignore.
windy: true, false
kind: discrete 3.
odd   name: a\,b, 1.5, x\., what\?, two   words, \|.
"""
ROWS = r"""sunny, 85, 85, anything, false, k2, a\,b, Don't Play.
| a comment

rain,?,70.,q,true,k1,1.5,Play
overcast,  -1.5e2,2,3,?,k2,x\.,?   | no class known
sunny,1,2,?,true,?,what\?,Stay\, home.
sunny,1,2,?,true,k1,two words,Play
sunny,1,2,?,true,k1,\|,Play
"""


def test_every_feature_of_arff_is_read(tmp_path):
    (tmp_path / "t.arff").write_text(ARFF, "utf-8")
    table = read_file(tmp_path / "t.arff")
    found = as_values(table)
    assert table.columns[0].labels == ["sunny", "over cast", "it's", "a,b", "100%", "?"]
    assert table.columns[0].is_declared
    assert table.columns[6].labels == ["yes", "no"]
    first = "sunny"
    assert found["outlook"][1] == [first, "over cast", "it's", "a,b", "100%", first, first, "over cast", "?"]
    assert found["temp (°C)"] == ("number", [85.5, None, -1000.0, 0.5, 1.0, -3.0, 0.0, None, 1.0])
    assert found["count"] == ("whole", [3, None, -7, 0, 1, 0, 0, 5, 1])
    texts = ["he said 'hi'", None, 'a "b" \\ c', "plain text", "%", None, None, "x y", "?"]
    assert found["note"] == ("category", texts)
    assert not table.columns[3].is_declared
    assert [str(day) for day in found["day"][1][:2]] == ["2024-01-02 03:04:00", "None"]
    assert str(found["at"][1][7]) == "2024-02-29 12:00:00"
    assert found["play"][1] == ["no", "yes", None, "no", "no", "no", "yes", "yes", "yes"]


def test_every_feature_of_names_and_data_is_read(tmp_path):
    (tmp_path / "golf.names").write_text(NAMES)
    (tmp_path / "golf.data").write_text(ROWS)
    (tmp_path / "golf.test").write_text("rain,1,2,3,true,k9,1.5,Play\n")
    for place in ("golf", "golf.names", "golf.data"):
        table = read_file(tmp_path / place)
        assert table.names == (
            "outlook",
            "temperature",
            "humid:ity",
            "windy",
            "kind",
            "odd name",
            "class",
        )
        found = as_values(table)
        assert found["temperature"] == ("number", [85.0, None, -150.0, 1.0, 1.0, 1.0])
        assert found["humid:ity"][1][1] == 70.0
        assert found["windy"][1] == ["false", "true", None, "true", "true", "true"]
        assert found["kind"][1] == ["k2", "k1", "k2", None, "k1", "k1"]
        assert found["odd name"][1] == ["a,b", "1.5", "x.", "what?", "two words", "|"]
        assert found["class"][1] == ["Don't Play", "Play", None, "Stay, home", "Play", "Play"]
        assert [raw.is_declared for raw in table.columns] == [True, False, False, True, True, True, True]
        assert table.columns[-1].labels == ["Play", "Don't Play", "Stay, home"]
        assert table.columns[0].labels == ["sunny", "overcast", "rain"]
        assert table.columns[4].labels == ["k2", "k1"]  # numbered as they are found
    assert as_values(read_file(tmp_path / "golf.test"))["class"] == ("category", ["Play"])
    chosen = read_file(tmp_path / "golf", columns=["windy"], kinds={"windy": "boolean"})
    assert as_values(chosen) == {"windy": ("boolean", [False, True, None, True, True, True])}


def test_rows_that_all_lack_the_class_are_rows_to_classify(tmp_path):
    (tmp_path / "t.names").write_text("yes, no.\nage: continuous.\nclass: a, b.\n")
    (tmp_path / "t.data").write_text("31, a\n?, b.\n")
    assert as_values(read_file(tmp_path / "t")) == {
        "age": ("whole", [31, None]),
        "class": ("category", ["a", "b"]),
    }
    (tmp_path / "t.data").write_text("31, a, no\n")
    assert as_values(read_file(tmp_path / "t"))["target"] == ("category", ["no"])


def test_a_stem_with_points_in_it_is_found(tmp_path):
    (tmp_path / "v1.2.names").write_text("yes, no.\nage: continuous.\n")
    (tmp_path / "v1.2.data").write_text("31,no\n")
    assert read_file(tmp_path / "v1.2").n_rows == 1


def test_data_without_names_is_a_csv(tmp_path):
    (tmp_path / "adult.data").write_text("39, State-gov, <=50K\n50, ?, >50K\n")
    assert as_values(read_file(tmp_path / "adult.data")) == {
        "x0": ("whole", [39, 50]),
        "x1": ("category", ["State-gov", None]),
        "x2": ("category", ["<=50K", ">50K"]),
    }


LABELS = ["a", "b c", "it's", 'say "x"', "p,q", "100%", "back\\slash", "{x}", "?", "北京", "1.5", "x:y", "z|"]
LABELS += ["end.", "St. Louis"]


def random_table(rng):
    """Draw declared categories, their rows with gaps, and a column of numbers."""
    n_rows = int(rng.integers(1, 40))
    categories = [str(each) for each in rng.permutation(LABELS)[: rng.integers(1, len(LABELS))]]
    codes = rng.integers(-1, len(categories), n_rows)
    numbers = [None if rng.random() < 0.2 else float(rng.normal()) for _ in range(n_rows)]
    return categories, [None if code < 0 else categories[code] for code in codes], numbers


def quoted(rng, text):
    """Quote a text as ARFF does, in either way; without quotes where it needs none."""
    if text.isalnum() and rng.random() < 0.5:
        return text
    quote = str(rng.choice(["'", '"']))
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote


def escaped(text):
    return "".join("\\" + letter if letter in ",:.|?\\" else letter for letter in text)


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_a_random_arff_is_read_as_it_was_written(form, tmp_path):
    rng = np.random.default_rng(3)
    for _ in range(60):
        categories, labels, numbers = random_table(rng)
        lines = ["@relation r", f"@attribute c {{{', '.join(quoted(rng, each) for each in categories)}}}"]
        lines += ["@attribute n numeric", "@data"]
        for label, number in zip(labels, numbers, strict=True):
            cells = ["?" if label is None else quoted(rng, label), "?" if number is None else repr(number)]
            if form == "sparse":
                pairs = [f"{at} {cell}" for at, cell in enumerate(cells) if at or label != categories[0]]
                lines.append("{" + ", ".join(pairs) + "}")
            else:
                lines.append(str(rng.choice([",", " , "])).join(cells))
        (tmp_path / "t.arff").write_text("\n".join(lines), "utf-8")
        table = read_file(tmp_path / "t.arff")
        assert table.columns[0].labels == categories
        assert as_values(table)["c"][1] == labels
        assert as_values(table)["n"][1] == numbers


def test_random_names_and_data_are_read_as_they_were_written(tmp_path, monkeypatch):
    from treewright.files import reader

    monkeypatch.setattr(reader, "BATCH", 7)
    rng = np.random.default_rng(4)
    for _ in range(60):
        categories, labels, numbers = random_table(rng)
        values = ", ".join(map(escaped, categories))
        (tmp_path / "t.names").write_text(f"{values}.\nc\\:1: {values}\nn: continuous.\n", "utf-8")
        cells = [["?" if label is None else escaped(label) for label in labels]]
        cells += [["?" if number is None else repr(number) for number in numbers], cells[0]]
        ends = rng.choice(["", ".", " . ", "  | said"], len(labels))
        rows = zip(zip(*cells, strict=True), ends, strict=True)
        (tmp_path / "t.data").write_text("\n".join(", ".join(row) + end for row, end in rows), "utf-8")
        found = as_values(read_file(tmp_path / "t"))
        assert found["c:1"][1] == found["class"][1] == labels
        assert found["n"][1] == numbers
        batches = list(read_batches(tmp_path / "t"))
        assert [n for batch in batches for n in as_values(batch)["c:1"][1]] == labels
        assert all(batch.columns[0].labels == categories for batch in batches)
