"""The base class of parts: their words, the targets they suit, and what they cannot be combined with."""

import typing
from collections.abc import Callable, Mapping
from functools import cache, partial
from inspect import cleandoc
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

from treewright.parts.bounds import flag, one_of

P = TypeVar("P", bound="Part")
Kind: TypeAlias = Literal["classes", "numbers"]  # of target


class Limit(NamedTuple):
    """What a part cannot be combined with.

    Parameters
    ----------
    seam : str
        Field of `Recipe` that holds the other part.
    words : tuple of str
        Words of the parts there that cannot be combined with this one.
    why : str
        Text of the error after the name of the part; ``{}`` stands for the other part.
    where : callable, optional
        Whether the limit holds for a given part; by default it always does.
    is_only : bool
        Whether `words` are, instead, the only ones that can be combined with it.
    """

    seam: str
    words: tuple[str, ...]
    why: str
    where: Callable[[Any], bool] = lambda _: True
    is_only: bool = False

    def forbids(self, part: "Part", other: "Part") -> bool:
        """Return whether `part`, which has this limit, cannot be combined with `other`."""
        return (other.word in self.words) != self.is_only and self.where(part)


class Part:
    """A choice, as a small frozen value.

    The types of parameters say how they are checked: words, True or False, and numbers whose `Annotated` type
    has a check, such as `treewright.parts.bounds.NonNegative`. `_check` checks all others.

    Attributes
    ----------
    word : str
        Its name in the core, the ledger and model files.
    typed : tuple of str or None
        What users type for it as a parameter of an estimator; None: `word`.
    suits : tuple of {"classes", "numbers"}
        Targets that it can be used for.
    limits : tuple of Limit
        The parts that it cannot be combined with.
    """

    __slots__ = ()

    word: ClassVar[str] = ""
    typed: ClassVar[tuple[str, ...] | None] = None
    suits: ClassVar[tuple[Kind, ...]] = ("classes", "numbers")
    limits: ClassVar[tuple[Limit, ...]] = ()

    def __post_init__(self) -> None:
        kind: type = type(self)
        for name, check, default in _checks_of(kind):
            value = getattr(self, name)
            if value is not default:  # nearly all are; skipping them keeps small fits fast
                check(name, value)
        self._check()

    def _check(self) -> None:
        """Raise if a parameter has a value that cannot be used."""

    @classmethod
    def words(cls) -> tuple[str, ...]:
        """List the words that users type for it."""
        return (cls.word,) * bool(cls.word) if cls.typed is None else cls.typed

    @classmethod
    def sentence(cls) -> str:
        """Say in one sentence what it does."""
        return cleandoc(cls.__doc__ or "").partition("\n")[0]


@cache
def _checks_of(kind: Any) -> list[tuple[str, Callable[[str, Any], object], object]]:
    """List the parameters of a part, with the check of their type and their default, which is not checked."""
    found: list[tuple[str, Callable[[str, Any], object], object]] = []
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        each, *others = (
            [hint] if typing.get_origin(hint) in (Literal, Annotated) else typing.get_args(hint) or [hint]
        )
        if hint is bool:
            check: Callable[[str, Any], object] = flag
        elif typing.get_origin(each) is Annotated:
            check = each.__metadata__[0]
        elif typing.get_origin(each) is Literal and others in ([], [type(None)]):
            check = partial(one_of, known=(*typing.get_args(each), *[None for _ in others]))
        else:
            continue
        found.append((name, check, kind.__dataclass_fields__[name].default))
    return found


def kinds_of(base: type[P], names: Mapping[str, Any]) -> tuple[type[P], ...]:
    """List the parts of a kind among the names of a module, in the order of the file."""
    kinds = [each for each in names.values() if isinstance(each, type) and issubclass(each, base)]
    return tuple(each for each in kinds if each is not base)


def by_word(kinds: tuple[type[Part], ...], suits: Kind | None = None) -> dict[str, Any]:
    """Collect parts by the words that users type for them.

    Parameters
    ----------
    kinds : tuple of classes
        Parts to choose from.
    suits : {"classes", "numbers"}, optional
        Leave out those that do not suit such a target.
    """
    return {word: kind() for kind in kinds if suits is None or suits in kind.suits for word in kind.words()}
