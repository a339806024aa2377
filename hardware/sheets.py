"""Sheets that are ready to print: the markers of the boards that are sold, on A4, in English."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from firmware.cameras.mounting import BoardSize
from firmware.printing.marker_layout import MarkerLayout
from firmware.printing.marker_sheet import marker_sheets
from firmware.printing.paper import PAPERS
from web.i18n.languages import wording_of

_FOLDER: Final = "twenty_minutes"
"""Folder of the build for which the sheets are made; pages of other builds link to them."""

_BOARDS: Final = {"duo": BoardSize.usual(14), "classic": BoardSize.usual(20)}
"""The boards that are sold, by the name that the files of their sheets have."""

_PAPER: Final = "a4"
"""Paper of the sheets, as in `firmware.printing.paper`; it stands in the names of files too."""

_LANGUAGE: Final = "en"
"""Language of the texts on the sheets, as in `web.i18n.languages`."""


def write(folder: Path) -> None:
    """Writes the sheets below the folder of the builds."""
    for path, content in _files(folder):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def differences(folder: Path) -> list[str]:
    """Returns a sentence for each sheet that is missing below a folder, or is another one."""
    return [
        f"{path} is not the sheet that its program makes"
        for path, content in _files(folder)
        if not path.exists() or path.read_bytes() != content
    ]


def _files(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for game, board in _BOARDS.items():
        layout, paper = MarkerLayout(board), PAPERS[_PAPER]
        content, _ = marker_sheets(layout, paper, wording_of(_LANGUAGE), _LANGUAGE)
        yield folder / _FOLDER / f"markers-{game}-{_PAPER}.pdf", content
