"""`cornerlight print`: sheets for the table as PDF to scale, and the height of a camera."""

import argparse
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import environ
from pathlib import Path
from socket import gethostname
from typing import Final

from werkzeug.datastructures import LanguageAccept

from firmware.cameras.mounting import MODELS, BoardSize, CameraModel, Size, plan_mounting
from firmware.commands.mounting_text import described, facts
from firmware.commands.options import add_game, length, port
from firmware.errors import CornerlightError
from firmware.printing.address_card import address_card
from firmware.printing.marker_layout import MarkerLayout
from firmware.printing.marker_sheet import marker_sheets
from firmware.printing.paper import PAPERS
from firmware.printing.rules_sheet import rules_sheet
from firmware.printing.sheets import write
from firmware.rules.variants import GAMES
from web.i18n.languages import LANGUAGES, choose, wording_of

EXAMPLE: Final = "cornerlight print markers --game duo --pitch-mm 14.2"

_Kinds = argparse._SubParsersAction  # noqa: SLF001, the library exports no name for it

_PITCH_MM: Final = (8.0, 40.0)
"""Least and greatest distance of two squares, in millimetres."""

_RIM_MM: Final = (0.0, 100.0)
"""Least and greatest width of the board's rim, in millimetres."""

_HEIGHT_MM: Final = (50.0, 5000.0)
"""Least and greatest height of a camera, in millimetres."""

_SIDE_PX: Final = (100, 20000)
"""Least and greatest side of a picture in pixels."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    kinds = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    markers = _kind(kinds, "markers", "markers, and where to stick them", EXAMPLE)
    _add_board(markers)
    _add_sheet(markers, "markers")
    card = _kind(kinds, "card", "address of the page", "cornerlight print card --name cornerlight")
    card.add_argument(
        "--name",
        metavar="NAME",
        type=_name,
        help="name of the table's machine, without .local (default: of this machine)",
    )
    card.add_argument("--port", type=port, default=8000, help="port of the page (default: 8000)")
    _add_sheet(card, "card")
    rules = _kind(kinds, "rules", "rules of a game", "cornerlight print rules --game classic-3")
    add_game(rules)
    _add_sheet(rules, "rules")
    tells = "how high a camera hangs above the board"
    height = _kind(kinds, "height", tells, "cornerlight print height --camera module-3")
    height.add_argument(
        "--camera", metavar="CAMERA", type=_camera, help=f"{', '.join(MODELS)} (default: each)"
    )
    _add_board(height)
    height.add_argument(
        "--size", metavar="WxH", type=_pictures, help="size of its pictures in pixels"
    )
    height.add_argument(
        "--height-mm", metavar="MM", type=length(*_HEIGHT_MM), help="another height, to be judged"
    )
    height.add_argument("--json", action="store_true", help="print one line of JSON")
    height.set_defaults(act=_height)


def run(arguments: argparse.Namespace) -> int:
    """Writes a sheet, or prints heights."""
    status: int = arguments.act(arguments)
    return status


def language_of(environment: Mapping[str, str]) -> str:
    """Returns the code of the language for a person at a terminal, by its locale."""
    tag = environment.get("LC_ALL") or environment.get("LC_MESSAGES") or environment.get("LANG")
    tag = (tag or "").partition(".")[0].replace("_", "-")
    return choose(None, LanguageAccept([(tag, 1.0)]))


def _kind(
    kinds: "_Kinds[argparse.ArgumentParser]", what: str, text: str, example: str
) -> argparse.ArgumentParser:
    about = f"{text[0].upper()}{text[1:]}."
    return kinds.add_parser(what, help=text, description=about, epilog=f"example: {example}")


def _add_board(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--pitch-mm",
        metavar="MM",
        type=length(*_PITCH_MM),
        help="from square to square; measure ten (default: 14 for Duo, 18 for Classic)",
    )
    parser.add_argument(
        "--rim-mm",
        metavar="MM",
        type=length(*_RIM_MM),
        default=25.0,
        help="rim of the board around its squares (default: 25)",
    )


def _add_sheet(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="paper (default: a4)")
    parser.add_argument(
        "--language", choices=LANGUAGES, help="language (default: that of this terminal)"
    )
    parser.add_argument(
        "--output",
        metavar="FILE",
        type=Path,
        default=Path(f"cornerlight-{what}.pdf"),
        help=f"PDF to write (default: cornerlight-{what}.pdf)",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.set_defaults(act=_sheet)


def _sheet(arguments: argparse.Namespace) -> int:
    language = arguments.language or language_of(environ)
    content, pages = _MAKERS[arguments.what](arguments, language)
    write(content, arguments.output)
    if arguments.json:
        row = {"sheet": arguments.what, "file": str(arguments.output), "pages": pages}
        print(json.dumps(row | {"paper": arguments.paper, "language": language}))
    else:
        number = "1 page" if pages == 1 else f"{pages} pages"
        print(f"wrote {arguments.output}: {number} of {arguments.paper}; print at 100 %")
    return 0


def _markers(arguments: argparse.Namespace, language: str) -> tuple[bytes, int]:
    layout = MarkerLayout(_board(arguments))
    return marker_sheets(layout, PAPERS[arguments.paper], wording_of(language), language)


def _card(arguments: argparse.Namespace, language: str) -> tuple[bytes, int]:
    try:
        name = arguments.name or _name(gethostname().partition(".")[0])
    except argparse.ArgumentTypeError as error:
        raise CornerlightError(f"name a machine with --name: {error}") from error
    paper, wording = PAPERS[arguments.paper], wording_of(language)
    return address_card(name, arguments.port, paper, wording, language), 1


def _rules(arguments: argparse.Namespace, language: str) -> tuple[bytes, int]:
    game, paper = GAMES[arguments.game], PAPERS[arguments.paper]
    return rules_sheet(game, paper, wording_of(language), language), 1


_MAKERS: Final[dict[str, Callable[[argparse.Namespace, str], tuple[bytes, int]]]] = {
    "markers": _markers,
    "card": _card,
    "rules": _rules,
}
"""Functions that return the pages of a sheet as PDF, and their number."""


def _height(arguments: argparse.Namespace) -> int:
    models = [arguments.camera] if arguments.camera else list(MODELS.values())
    board = _board(arguments)
    plans = [plan_mounting(m, board, arguments.size, arguments.height_mm) for m in models]
    if arguments.json:
        row = {"squares": board.squares, "pitch_mm": board.pitch_mm, "rim_mm": board.rim_mm}
        print(json.dumps({"board": row, "cameras": [facts(plan) for plan in plans]}))
        return 0
    print(f"board of {board.squares}x{board.squares} squares of {board.pitch_mm:g} mm")
    for plan in plans:
        print(described(plan))
    return 0


def _board(arguments: argparse.Namespace) -> BoardSize:
    board = BoardSize.usual(GAMES[arguments.game].size)
    pitch_mm = arguments.pitch_mm or board.pitch_mm
    return replace(board, pitch_mm=pitch_mm, rim_mm=arguments.rim_mm)


def _camera(text: str) -> CameraModel:
    if text not in MODELS:
        known = ", ".join(MODELS)
        raise argparse.ArgumentTypeError(f"{text!r} is not listed; the cameras are {known}")
    return MODELS[text]


def _name(text: str) -> str:
    """Parses the name of a machine, for argparse (RFC 1123, section 2.1)."""
    if not re.fullmatch(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)", text):
        rule = "letters, digits and hyphens, 63 at most and without .local"
        raise argparse.ArgumentTypeError(f"{rule}, not {text!r}")
    return text


def _pictures(text: str) -> Size:
    """Parses the size of pictures, for argparse."""
    width, _, height = text.partition("x")
    sides = [int(side) for side in (width, height) if side.isdecimal()]
    if len(sides) != 2 or not all(_SIDE_PX[0] <= side <= _SIDE_PX[1] for side in sides):
        least, most = _SIDE_PX
        raise argparse.ArgumentTypeError(f"{least}x{least} to {most}x{most}, not {text!r}")
    return sides[0], sides[1]
