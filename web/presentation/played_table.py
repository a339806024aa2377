"""A simulated table as JSON, for the script with which people play at it."""

import json
from dataclasses import asdict

from web.contract import ClubTable, Page, SimulatedTable
from web.contract.schema import plain
from web.i18n.wording import Wording
from web.presentation.board_view import chips_of


def played_table(
    table: SimulatedTable, club: ClubTable | None, page: Page, wording: Wording
) -> str:
    """Returns the state of a table and what players need of its game, as JSON without markup.

    Args:
        table: the table.
        club: its seats; None before the first.
        page: the page of the game on it.
        wording: texts of the viewer's language.
    """
    puzzle = page.puzzle
    field = (puzzle.columns, puzzle.rows) if puzzle else None
    game: dict[str, object] = {
        "chips": [asdict(one) for one in chips_of(page, wording)],
        "players": [colour.player for colour in page.colours],
        "turn": page.turn,
        "starts": page.starts,
        "plies": [(m.ply, *m.squares[len(m.squares) // 2]) for m in page.moves if m.squares],
    }
    game |= {"field": field, "culprit": puzzle.culprit if puzzle else ()}
    if page.chosen is not None:
        first = page.square_name(page.chosen.squares[0])
        game["chosen"] = {
            "color": page.chosen.colour,
            "squares": page.chosen.squares,
            "title": f"{page.chosen.piece} {first}",
        }
    seats = plain(club.seats) if club is not None else []
    text = json.dumps({**plain(table), "seats": seats, **game}, separators=(",", ":"))
    return text.replace("<", "\\u003c")
