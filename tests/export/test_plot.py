"""Trees drawn with matplotlib."""

import logging
import sys
import warnings

import pytest

import drawn_trees
from drawn_trees import KINDS, tree_of
from treewright.errors import MissingPackageError, ParameterTypeError
from treewright.export.parts import Rect
from treewright.export.picture import picture

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def plotted(tree, **options):
    with warnings.catch_warnings():
        # Where no font with Chinese or pictures is installed matplotlib says so; it is right to.
        warnings.filterwarnings("ignore", "Glyph .* missing from font|Matplotlib currently does not support")
        return tree.plot(**options)


@pytest.mark.parametrize("kind", KINDS)
def test_every_part_of_the_picture_is_on_the_axes(kind):
    tree = tree_of(kind)
    ax = plotted(tree)
    drawing = picture(tree.model_)
    assert len(ax.patches) == sum(len(group.parts) for group in drawing.groups)
    assert ax.get_xlim() == (0, drawing.width)
    assert ax.get_ylim() == (drawing.height, 0)


def test_texts_lie_inside_their_boxes():
    tree = tree_of("gaps have a branch")
    patches = iter(plotted(tree).patches)
    for group in picture(tree.model_).groups:
        frame = group.parts[0]
        for part in group.parts:
            extent = next(patches).get_path().get_extents()
            if group.kind in ("node", "label", "more") and not isinstance(part, Rect):
                assert frame.x <= extent.x0 <= extent.x1 <= frame.x + frame.width
                assert frame.y <= extent.y0 <= extent.y1 <= frame.y + frame.height


def test_the_axes_given_are_used_and_given_back():
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    assert plotted(tree_of("golf"), ax=ax, max_depth=1) is ax
    assert len(plt.get_fignums()) == 1


def test_a_figure_can_be_written(tmp_path):
    for kind in ("golf", "gaps have a branch", "empty branches"):
        plotted(tree_of(kind)).figure.savefig(tmp_path / "tree.png")
        assert (tmp_path / "tree.png").stat().st_size > 10_000


def test_a_large_tree_is_drawn_in_part():
    ax = plotted(drawn_trees.many_nodes(), max_nodes=15)
    width, height = ax.figure.get_size_inches()
    assert width < 40
    assert height < 40


def test_what_is_no_axes_is_refused():
    with pytest.raises(ParameterTypeError, match="ax='here' is not a matplotlib Axes"):
        tree_of("golf").plot("here")


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'treewright\[plot\]'"):
        tree_of("golf").plot()


def test_fonts_without_bold_letters_are_nobodys_trouble(caplog):
    logger = logging.getLogger("matplotlib.font_manager")
    before = logger.level
    with caplog.at_level(logging.WARNING):
        tree_of("watermelon").plot(lang="zh").figure.clear()
    assert not [each for each in caplog.records if each.name == logger.name]
    assert logger.level == before
