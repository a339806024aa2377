"""Content of the printed sheets of a tournament, from the public page. Pure."""

from firmware.hall.tournament.matches import DrawnMatch
from firmware.printing.round_sheets import PrintedMatch, PrintedRound
from firmware.printing.standings_sheet import PrintedStanding, PrintedStandings
from web.hall.page import HallPage
from web.i18n.hall_wording import HallWording, points_text


def printed_round(page: HallPage, number: int) -> PrintedRound | None:
    """Returns a published round; None if there is none of that number."""
    one = page.round(number)
    if one is None or page.tournament is None:
        return None
    matches = sorted(one.played, key=lambda match: (match.table or 999, match.id))
    return PrintedRound(
        event=page.tournament.name,
        number=number,
        matches=tuple(_match(page, match) for match in matches),
        byes=tuple(page.public_name(player) for player in one.byes),
    )


def _match(page: HallPage, match: DrawnMatch) -> PrintedMatch:
    table = page.table(match.table)
    label = (table.label if table else "") or str(match.table or "")
    players = tuple(page.public_name(player) for player in match.players)
    scores = match.outcome.scores if match.outcome else ()
    return PrintedMatch(label, players, " : ".join(map(str, scores)))


def printed_standings(page: HallPage, wording: HallWording) -> PrintedStandings:
    """Returns the standings so far."""
    chosen = page.tournament.tie_breaks if page.tournament else ()
    return PrintedStandings(
        event=page.tournament.name if page.tournament else page.hall,
        round=page.rounds[-1].number if page.rounds else 0,
        tie_breaks=tuple(wording.tie_break(code) for code in chosen),
        lines=tuple(
            PrintedStanding(
                place=str(line.place),
                player=page.public_name(line.player),
                points=points_text(line.points),
                tie_breaks=tuple("" if v is None else points_text(v) for v in line.tie_breaks),
            )
            for line in page.standings
        ),
    )
