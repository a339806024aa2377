"""A simulated table as JSON, for the script with which people play at it."""

import json

from web.contract import Page, SimulatedTable
from web.contract.schema import plain
from web.i18n.wording import Wording
from web.presentation.view_model import chips_of


def played_table(table: SimulatedTable, page: Page, wording: Wording) -> str:
    """Returns the state of a table with the colours of its pieces, as JSON without markup.

    Args:
        table: the table.
        page: the page of the game on it.
        wording: texts of the viewer's language.
    """
    chips = [
        {"letter": one.letter, "ink": one.ink, "edge": one.edge, "on": one.on, "name": one.name}
        for one in chips_of(page, wording)
    ]
    players = [colour.player for colour in page.colours]
    shown = {**plain(table), "chips": chips, "players": players, "turn": page.turn}
    text = json.dumps(shown, separators=(",", ":"))
    return text.replace("<", "\\u003c")
