"""The texts of a language, from its files in `web/translations`.

A file has the same keys in every language, in sections; `{names}` in a text are places for values.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent.parent / "translations"
"""Folder of the texts: `LANGUAGE.toml`, and `hall/LANGUAGE.toml` for the pages of a hall."""


@cache
def texts_of(language: str) -> Mapping[str, str]:
    """Returns the texts of a language by their keys, `NAME` or `SECTION.NAME`.

    Raises:
        FileNotFoundError: there are no texts in that language.
    """
    texts: dict[str, str] = {}
    for path in (_FOLDER / f"{language}.toml", _FOLDER / "hall" / f"{language}.toml"):
        for name, value in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if isinstance(value, dict):
                texts |= {f"{name}.{key}": text for key, text in value.items()}
            else:
                texts[name] = value
    return texts


def section_of(name: str, language: str = "en") -> dict[str, str]:
    """Returns the texts of a section by their keys there."""
    start = f"{name}."
    texts = texts_of(language).items()
    return {key.removeprefix(start): text for key, text in texts if key.startswith(start)}
