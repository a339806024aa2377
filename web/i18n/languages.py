"""The languages of the page: which there are, and which one a viewer gets."""

import gettext
from pathlib import Path
from typing import Final

from werkzeug.datastructures import LanguageAccept

from web.i18n.wording import Wording

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "ja": "日本語"}
"""By their codes (ISO 639-1), each called as its speakers call it."""

_FOLDER: Final = Path(__file__).parent.parent / "translations"


def wording_of(language: str) -> Wording:
    """The words of a language.

    Args:
        language: one of `LANGUAGES`. English is what the phrases are written in.

    Raises:
        FileNotFoundError: its compiled translations are not there; `make words` makes them.
    """
    if language == "en":
        return Wording()
    return Wording(gettext.translation("cornerlight", _FOLDER, [language]))


def choose(chosen: str | None, wanted: LanguageAccept) -> str:
    """The language for a viewer.

    Args:
        chosen: what they chose on the page, if they did; anything may be in it.
        wanted: what their browser asks for (`Accept-Language`).
    """
    if chosen in LANGUAGES:
        return chosen
    # Not `best_match`: for it `en` fits better than the `de-AT` that somebody asks for first.
    asked = (tag.partition("-")[0].lower() for tag in wanted.values())
    return next((code for code in asked if code in LANGUAGES), "en")
