"""Progress on standard error: silent for short fits."""

import io
from dataclasses import replace

import pytest

from labelled import fit
from noisy_tables import noisy
from treewright.engines.local import LocalSample
from treewright.fitting.progress import ProgressLine
from treewright.parts import CrossValidated
from treewright.recipes import CART_NUMBERS


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_short_fit_says_nothing():
    stream = io.StringIO()
    line = ProgressLine(after_s=60.0, stream=stream)
    line(10, 100)
    line.close()
    assert stream.getvalue() == ""


def test_a_long_fit_says_how_far_it_is():
    stream = io.StringIO()
    ProgressLine(after_s=0.0, stream=stream)(1500, 3000)
    assert stream.getvalue() == "treewright: 1,500 of 3,000 rows settled (50%)\n"


def test_words_are_not_repeated_too_often():
    stream = io.StringIO()
    line = ProgressLine(after_s=0.0, every_s=60.0, stream=stream)
    line(1, 2)
    line(2, 2)
    assert stream.getvalue().count("settled") == 1


def test_a_terminal_gets_one_line_written_over():
    stream = Terminal()
    line = ProgressLine(after_s=0.0, every_s=0.0, stream=stream)
    line(1, 2)
    line(2, 2)
    line.close()
    assert stream.getvalue().count("\r") == 2
    assert stream.getvalue().count("\n") == 1


def test_work_goes_on_when_nobody_reads_how_far_it_is():
    class Closed(Terminal):
        def write(self, text):
            raise BrokenPipeError

    line = ProgressLine(after_s=0.0, every_s=0.0, stream=Closed())
    line(1, 2)
    line.tell("how")
    line.close()


@pytest.mark.parametrize(
    ("verbose", "is_wanted"), [(0, False), (False, False), (1, True), (True, True), (3, True)]
)
def test_verbose_asks_for_progress(verbose, is_wanted):
    with ProgressLine.wanted(verbose) as line:
        assert (line is not None) is is_wanted


@pytest.mark.parametrize("verbose", [-1, "loud", 0.5])
def test_verbose_is_a_whole_number(verbose):
    with pytest.raises(ValueError, match="verbose="), ProgressLine.wanted(verbose):
        pass


def test_trees_of_folds_are_told_as_shares_of_the_table(monkeypatch):
    """Eleven trees on 300 rows do not make 3,300 rows of the table."""
    grow = LocalSample.grow

    def grown(self, recipe, progress=None, *more, **options):
        for settled in (0, self.core.n_rows // 2, self.core.n_rows):
            progress(settled, self.core.n_rows)
        return grow(self, recipe, None, *more, **options)

    monkeypatch.setattr(LocalSample, "grow", grown)
    told = []
    recipe = replace(CART_NUMBERS, pruner=CrossValidated())
    X, _ = noisy()
    fit(X, X["c"], recipe=recipe, progress=lambda *at: told.append(at))
    assert told[:3] == [(0, 300), (13, 300), (27, 300)]
    assert told[-3:] == [(272, 300), (286, 300), (300, 300)]
    assert told == sorted(told)
    assert len(told) == 33
