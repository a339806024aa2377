"""The languages of the page, and the choice of one for a viewer."""

from typing import Final

from werkzeug.datastructures import LanguageAccept

from web.i18n.hall_wording import HallWording

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "ja": "日本語"}
"""Names of the languages, each in the language itself, by code (ISO 639-1)."""


def wording_of(language: str) -> HallWording:
    """Returns the texts of a language, one of `LANGUAGES`."""
    return HallWording(language)


def choose(chosen: str | None, wanted: LanguageAccept) -> str:
    """Returns the code of the language for a viewer.

    Args:
        chosen: code that the viewer chose on the page, unchecked; None if they chose none.
        wanted: languages that the browser prefers (`Accept-Language`).
    """
    if chosen in LANGUAGES:
        return chosen
    # Not `best_match`: it prefers `en` to a `de-AT` that comes first.
    codes = (tag.partition("-")[0].lower() for tag in wanted.values())
    return next((code for code in codes if code in LANGUAGES), "en")
