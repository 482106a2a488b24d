"""Progress on standard error: silent for short fits."""

import io

import pytest

from treewright.fitting.progress import ProgressLine


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
