"""Text broken into lines. Pure.

Lines break at spaces, and in Japanese between any two characters but before closing marks and small
kana, and after opening ones (the core of JIS X 4051).
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

_NOT_FIRST: Final = "、。，．・：；？！」』）〕］】ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々"
"""Characters that begin no line: closing marks, the long vowel, small kana, the repetition mark."""

_NOT_LAST: Final = "「『（〔［【"
"""Characters that end no line: opening brackets."""

_WIDE: Final = r"[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]"
"""Pattern of a character beside which a line may break: kana, kanji, their marks, full width."""

_TOKEN: Final = re.compile(
    rf"[{_NOT_LAST}]*(?:{_WIDE}|(?:(?!{_WIDE})\S)+)[{_NOT_FIRST}]*\s*", re.DOTALL
)
"""A part that nothing breaks: a wide character or a word, with its marks, then spaces."""


def broken(text: str, width: float, width_of: Callable[[str], float]) -> list[str]:
    """Returns the lines of a text; a part that nothing can break may be wider than the rest.

    Args:
        text: the text.
        width: width of a line.
        width_of: returns the width of a text.
    """
    lines = [""]
    for token in _tokens(text):
        if lines[-1] and width_of((lines[-1] + token).rstrip()) > width:
            lines.append("")
        lines[-1] += token
    return [line.rstrip() for line in lines]


def _tokens(text: str) -> Iterator[str]:
    return (match[0] for match in _TOKEN.finditer(text))
