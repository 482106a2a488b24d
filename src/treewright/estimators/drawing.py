"""A fitted tree, drawn: each method a line that calls the room where it is done."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from treewright.estimators.fitted import Fitted
from treewright.export import dot, html, json, mermaid, svg, text
from treewright.export.drawn import MOST_NODES
from treewright.writing import write_whole

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes


class Drawing(Fitted):
    """Ways to draw a fitted tree."""

    def to_text(self, max_depth: int | None = None, width: int | None = text.WIDTH) -> str:
        """Write the tree as indented text.

        Every leaf says how far its training rows agree with its answer: the share of its class in their
        weight, where only a pure leaf has 100%; of numbers their standard deviation (``sd``), or the mean
        absolute error (``MAE``) or mean Poisson deviance where the tree was grown by that. The weights of
        classes follow where there is room.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to write; what lies below is counted.
        width : int, optional
            Columns of the terminal to write for, at least 40; Chinese characters take two. Names, lists of
            categories and weights of classes are shortened to fit, shares and errors never. None cuts
            nothing.

        Returns
        -------
        str
            One line per node; two where a name would have to be cut beyond recognition.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> print(DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"]).to_text())
        4 rows: no 2, yes 2
        ├── age <= 41 → no (100% of 2 rows)
        └── age > 41 → yes (100% of 2 rows)
        """
        return text.write(self._fitted().model, max_depth, width)

    def to_dot(self, max_depth: int | None = None, max_nodes: int | None = None) -> str:
        """Write the tree in Graphviz's language.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to write.
        max_nodes : int, optional
            Nodes to write at most. What is left out is counted in its place.

        Returns
        -------
        str
            A directed graph; node i of the tree is ``n<i>``.
        """
        return dot.write(self._fitted().model, max_depth, max_nodes)

    def to_mermaid(self, max_depth: int | None = None, max_nodes: int | None = MOST_NODES) -> str:
        """Write the tree as a Mermaid flowchart, for Markdown pages.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to write.
        max_nodes : int, optional
            Nodes to write at most; None for all, though Mermaid refuses more than 500 branches. What is left
            out is counted in its place.

        Returns
        -------
        str
            A flowchart; node i of the tree is ``n<i>``.

        Examples
        --------
        >>> from treewright import DecisionTreeClassifier
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> print(DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"]).to_mermaid())
        flowchart TD
          n0["age<br>4 rows: no"]
          n1(["no<br>2 rows"])
          n0 -->|"#60;= 41"| n1
          n2(["yes<br>2 rows"])
          n0 -->|"#62; 41"| n2
        <BLANKLINE>
        """
        return mermaid.write(self._fitted().model, max_depth, max_nodes)

    def to_json(self) -> str:
        """Write the tree as nested JSON, for programs that draw or translate trees.

        `treewright.export.json` lists the keys. A model is kept with `save`, not with this.

        Returns
        -------
        str
            One line of JSON.
        """
        return json.write(self._fitted().model)

    def to_svg(self, max_depth: int | None = None, max_nodes: int | None = MOST_NODES) -> str:
        """Draw the tree as SVG; no other program or package is needed.

        A box says what is asked, or what is answered, with the shares of the classes as a bar; a branch is as
        thick as it is heavy, dashed where only missing values take it, dotted where no row did. Point at a
        box to read all about it.

        Parameters
        ----------
        max_depth : int, optional
            Deepest level to draw.
        max_nodes : int, optional
            Nodes to draw at most; None for all. Whole levels are drawn from the root on, and of the next one
            the heaviest nodes; what is left out is counted in its place.

        Returns
        -------
        str
            An SVG document, which may also stand inside HTML.
        """
        return svg.write(self._fitted().model, max_depth, max_nodes)

    def to_html(
        self,
        path: "str | os.PathLike[str] | None" = None,
        max_depth: int | None = None,
        max_nodes: int | None = MOST_NODES,
    ) -> str:
        """Write a page with the drawing and the text of the tree.

        Parameters
        ----------
        path : str or path, optional
            A file to write it to as well; one that is there is replaced once the new one is whole.
        max_depth, max_nodes : int, optional
            As for `to_svg`.

        Returns
        -------
        str
            The page. It needs nothing beside it, and nothing in it runs.
        """
        page = html.write(self._fitted().model, max_depth, max_nodes)
        if path is not None:
            write_whole(path, page.encode("utf-8"))
        return page

    def plot(
        self, ax: Any = None, max_depth: int | None = None, max_nodes: int | None = MOST_NODES
    ) -> "Axes":
        """Draw the tree with matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure as large as the drawing.
        max_depth, max_nodes : int, optional
            As for `to_svg`.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from treewright.export import plot

        return plot.draw(self._fitted().model, ax, max_depth, max_nodes)

    @property
    def _repr_html_(self) -> Callable[[], str]:
        """What a notebook shows: scikit-learn's box of parameters, and below it the tree, once there is one.

        As scikit-learn's, it is absent where ``display="text"`` is configured.
        """
        theirs = cast("Callable[[], str]", super()._repr_html_)  # type: ignore[misc]
        return lambda: self._with_drawing(theirs())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle = cast("dict[str, str]", super()._repr_mimebundle_(**kwargs))  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = self._with_drawing(bundle["text/html"])
        return bundle

    def _with_drawing(self, theirs: str) -> str:
        if not self.__sklearn_is_fitted__():
            return theirs
        return f'{theirs}<div style="overflow-x: auto">{self.to_svg()}</div>'
