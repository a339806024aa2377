"""Content of the printed sheets of a tournament, from the public page. Pure."""

from firmware.printing.round_sheets import PrintedMatch, PrintedRound
from firmware.printing.standings_sheet import PrintedStanding, PrintedStandings
from web.hall.page import HallMatch, HallPage
from web.i18n.hall_wording import HallWording, points_text


def printed_round(page: HallPage, number: int) -> PrintedRound | None:
    """Returns a published round; None if there is none of that number."""
    one = page.round(number)
    if one is None or page.tournament is None:
        return None
    matches = sorted(one.matches, key=lambda match: (match.table or 999, match.id))
    return PrintedRound(
        event=page.tournament.name,
        number=number,
        matches=tuple(_match(page, match) for match in matches),
        byes=tuple(page.player(player).public_name for player in one.byes),
    )


def _match(page: HallPage, match: HallMatch) -> PrintedMatch:
    table = page.table(match.table)
    label = (table.label if table else "") or str(match.table or "")
    players = tuple(page.player(player).public_name for player in match.players)
    scores = match.result.scores if match.result else ()
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
                player=page.player(line.player).public_name,
                points=points_text(line.points),
                tie_breaks=tuple("" if v is None else points_text(v) for v in line.tie_breaks),
            )
            for line in page.standings
        ),
    )
