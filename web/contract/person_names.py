"""Names of people: the characters that are kept, and the names that look alike.

A name is kept as it was written, on one line, without characters that nobody sees: control and
format characters, marks of direction, fillers. Joiners and variation selectors stay within scripts
and emoji that are shaped by them, and nowhere else.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

LONGEST_NAME: Final = 40
"""Characters of a name."""

_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U0001d159]"
)
"""Characters that are drawn as nothing, besides those of the category C."""

_JOINERS: Final = "\u200c\u200d"
"""Characters that decide if their neighbours are joined."""

_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Characters that choose a form of the one before, as of a Japanese family name."""

_SHAPED: Final = "\u0590-\u1fff\u2030-\U000e0fff"
"""Characters of scripts and emoji that joiners and selectors shape: none of Latin, Greek and
Cyrillic, but for a few rare ones."""

_IDLE: Final = re.compile(f"(?<![{_SHAPED}])[{_JOINERS}{_SELECTORS}]+|[{_JOINERS}]+(?![{_SHAPED}])")
"""Joiners and selectors that shape nothing."""

_SHAPING: Final = re.compile(f"[{_JOINERS}{_SELECTORS}]|(?<=[ij])\u0307")
"""Characters of a kept name that do not tell it from another one; i and j have a dot already."""

_ALIKE: Final = str.maketrans(
    "АВЕКМНОРСТУХІЈЅҮҺԚԜавекмнорстухіјѕүһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζικμνορτυχɑɡıӀ‐‑‒–’ʼ",
    "ABEKMHOPCTYXIJSYHQWabekmhopctyxijsyhdqwABEZHIKMNOPTYXabezikmvoptuxagil----''",
)
"""Letters of Cyrillic and Greek, and a few other signs, that look like Latin ones. The small form
of a capital is here too, so that a name is the same in capitals, unless it looks like another
letter."""


class UnfitNameError(ValueError):
    """Error of a name that cannot be taken.

    Attributes:
        code: `bad-name`; `same-name` for one that looks like another one.
        name: the name, of two that look alike the first.
    """

    def __init__(self, code: str, name: str) -> None:
        same = f"that looks like {name}, the name of somebody else; add what tells them apart"
        size = f"a name has 1 to {LONGEST_NAME} characters that can be seen, unlike {name}"
        super().__init__(same if code == "same-name" else size)
        self.code: Final = code
        self.name: Final = name


def clean_name(text: str) -> str:
    """Returns a name as it is kept; empty if nobody would see it."""
    line = " ".join(_BLANK.sub("", text).split())
    kept = (one for one in line if one in _JOINERS or unicodedata.category(one)[0] != "C")
    name = " ".join(_IDLE.sub("", "".join(kept)).split())
    return name if any(unicodedata.category(sign)[0] in "LNPS" for sign in name) else ""


def skeleton(name: str) -> str:
    """Returns the text that names have in common if people take them for the same."""
    apart = unicodedata.normalize("NFKD", clean_name(name)).translate(_ALIKE).casefold()
    return unicodedata.normalize("NFKC", _SHAPING.sub("", apart))


def check_names(typed: Iterable[str], taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Returns the names of people as they are kept; an empty one stays empty.

    Args:
        typed: the names as they were typed.
        taken: names of others.

    Raises:
        UnfitNameError: nobody would see a name, or it is too long, or looks like another one.
    """
    known, names = {skeleton(name): name for name in taken}, []
    for text in typed:
        name = clean_name(text)
        if len(name) > LONGEST_NAME or (text.strip() and not name):
            codes = " ".join(f"U+{ord(sign):04X}" for sign in text[:8])
            raise UnfitNameError("bad-name", name[: LONGEST_NAME + 20] or codes)
        key = skeleton(name)
        if name and key in known:
            raise UnfitNameError("same-name", known[key])
        known[key] = name
        names.append(name)
    return tuple(names)
