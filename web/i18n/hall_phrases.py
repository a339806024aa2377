"""The texts of a hall's pages, in English, marked for translation, like `web.i18n.phrases`."""

from typing import Final

from web.i18n.phrases import mark

HALL: Final = {
    "organiser": mark("Organiser"),
    "tables": mark("Tables"),
    "players": mark("Players"),
    "round": mark("Round"),
    "standings": mark("Standings"),
    "settings": mark("Settings"),
    "hall-away": mark("Tables cannot be reached"),
    "stale": mark("Nothing new since {time}; the hall may have gone on."),
    "no-broker": mark(
        "The connection to the tables is interrupted. It is tried again all the time; "
        "results can be typed."
    ),
    "no-tables": mark("No table has joined yet. Print the table cards in the settings."),
    "no-tournament": mark("No tournament is set up yet."),
    "set-up-now": mark("Set up the tournament"),
    "no-players": mark("Nobody is entered yet."),
    "no-rounds": mark("No round is drawn yet."),
    "pair-why": mark(
        "The computer of the hall prints a number when it starts. "
        "An organiser can show one for a further phone in the settings."
    ),
    "open-table": mark("Open the table's page"),
    "board": mark("Board"),
    "match": mark("Match"),
    "table": mark("Table"),
    "no-table": mark("no table"),
    "on-stream": mark("on the stream"),
    # The clock of a round
    "clock": mark("Time of the round"),
    "start": mark("Start"),
    "pause": mark("Pause"),
    "add-minute": mark("+1 min"),
    "add-five": mark("+5 min"),
    "less-minute": mark("−1 min"),
    "clock-paused": mark("paused"),
    # Rounds
    "draw": mark("Draw"),
    "draw-again": mark("Draw again"),
    "publish": mark("Publish"),
    "lock": mark("Lock the round"),
    "discard": mark("Discard the draw"),
    "swap": mark("Swap players"),
    "swap-why": mark(
        "Two players exchange their places in this round. A player with a bye can be one of them."
    ),
    "swap-one": mark("This player"),
    "swap-other": mark("takes the place of"),
    "do-swap": mark("Swap"),
    "even-so": mark("Do it even so"),
    "bye": mark("Bye"),
    "byes": mark("Byes"),
    "publish-why": mark("The tables and the spectators get these matches."),
    "lock-why": mark("Results change only by a correction with a reason after that."),
    "discard-why": mark("This draw is dropped; another one may be different."),
    "drawn-only-here": mark("Only organisers see this draw."),
    "next-round": mark("Next round"),
    "warnings": mark("Note"),
    # Matches and results
    "result": mark("Result"),
    "confirm": mark("Confirm"),
    "take-this": mark("This one counts"),
    "look": mark("Look"),
    "type-result": mark("Type the result"),
    "correct-result": mark("Correct the result"),
    "reason": mark("Reason"),
    "reason-needed": mark("Reason of the correction"),
    "save": mark("Save"),
    "score-of": mark("Score of {name}"),
    "forfeit": mark("Forfeit"),
    "forfeit-why": mark("Tick whoever did not play."),
    "do-forfeit": mark("Note the forfeit"),
    "move-match": mark("Other table"),
    "do-move": mark("Move"),
    "by-camera": mark("Seen by table {table}"),
    "typed": mark("Typed by an organiser"),
    "corrected": mark("corrected"),
    "confirmed-by": mark("Confirmed: {names}"),
    "disputed-by": mark("Disputed: {names}"),
    "counts": mark("counts"),
    "points": mark("Points"),
    # Players
    "enter": mark("Enter"),
    "enter-one": mark("Enter a player"),
    "enter-list": mark("Enter a list"),
    "one-a-line": mark("One name a line"),
    "name": mark("Name"),
    "name-form": mark("Public name"),
    "full": mark("in full"),
    "short": mark("short, as in Anna K."),
    "id": mark("number only"),
    "minor": mark("Minor"),
    "minor-why": mark("The public name of a minor is always short."),
    "public-as": mark("Shown to everybody as {name}"),
    "late": mark("from round {round}"),
    "withdrawn": mark("withdrawn"),
    "withdraw": mark("Withdraw"),
    "withdraw-why": mark("The player is in no further round; results stay."),
    "reinstate": mark("Take in again"),
    "ask-bye": mark("Note a bye for round {round}"),
    "no-bye": mark("No bye in round {round}"),
    "bye-in": mark("bye in round {rounds}"),
    "delete": mark("Delete"),
    "delete-why": mark("The entry and the name are deleted. This cannot be undone."),
    "count-players": mark("{count} entered, {active} in the next round"),
    # Set-up
    "tournament": mark("Tournament"),
    "event": mark("Name of the event"),
    "game": mark("Game"),
    "preset": mark("Preset"),
    "rounds": mark("Rounds"),
    "minutes": mark("Minutes of each player, 0 for no clock"),
    "round-minutes": mark("Minutes of a round, 0 for no clock"),
    "tie-breaks": mark("Tie-breaks, the first one decides first"),
    "tie-break": mark("Tie-break {number}"),
    "of-preset": mark("as the preset has it"),
    "none": mark("none"),
    "stream": mark("Stream"),
    "featured": mark("Table on the stream"),
    "feature": mark("Show on the stream"),
    "delay": mark("Seconds by which spectators see everything later"),
    "phones": mark("Phones"),
    "role-organiser": mark("You are an organiser on this phone."),
    "role-helper": mark("You are a helper on this phone: you cannot delete anything."),
    "pair-organiser": mark("Number for another organiser"),
    "pair-helper": mark("Number for a helper"),
    "number-is": mark("Type this number on the other phone within five minutes: {number}"),
    "leave": mark("End the pairing of this phone"),
    "add-table": mark("Add a table"),
    "label": mark("Label, empty for its number"),
    "remove-table": mark("Remove this table"),
    "remove-why": mark(
        "Its password ends, and it is dropped from the list. Its results stay; "
        "the match can be typed or moved."
    ),
    "print": mark("Print"),
    "print-pairings": mark("Matches of round {round}"),
    "print-standings": mark("Standings"),
    "print-cards": mark("Table cards with the codes to join"),
    "exports": mark("Files"),
    "csv-standings": mark("Standings as CSV"),
    "csv-results": mark("Results as CSV"),
    "json": mark("Everything as JSON"),
    "trf": mark("Results as TRF"),
    "zip": mark("Game records as zip"),
    "files-why": mark("The files name players by number, so that a name can be forgotten."),
    "place": mark("Place"),
    "played": mark("Rounds"),
    "spectators": mark("Spectators' page"),
    "finished": mark("The tournament is finished."),
    "nothing-there": mark("There is nothing for this file yet."),
    "yes": mark("Yes"),
}
"""Fixed texts."""

TABLE_STATES: Final = {
    "fault": mark("fault"),
    "call": mark("calls the arbiter"),
    "unsure": mark("not sure what lies on the board"),
    "refused": mark("a refused piece has been lying there"),
    "offline": mark("does not answer"),
    "playing": mark("playing"),
    "finished": mark("finished"),
    "waiting": mark("waiting"),
}
"""Clauses on the state of a table."""

TABLE_FAULTS: Final = {
    "camera": mark("the camera gives no pictures"),
    "board": mark("the board cannot be seen"),
    "journal": mark("the game cannot be saved"),
    "lights": mark("the lights do not work"),
    "buttons": mark("the buttons do not work"),
    "recording": mark("the recording has stopped"),
    "heat": mark("the computer is too hot"),
    "voltage": mark("the power supply is too weak"),
    "moves-missing": mark("moves are missing in the record"),
    "no-table": mark("its program does not run"),
}
"""Faults of a table, by their codes in its messages."""

TABLE_CALLED: Final = mark("{name} calls the arbiter")
TABLE_FAULT: Final = mark("fault: {fault}")
TABLE_REFUSED: Final = mark("{name} has laid a piece that is refused: {rule}")
TABLE_PLAYING: Final = mark("playing, {count} pieces laid")
TABLE_FINISHED: Final = mark("finished: {result}")
TABLE_WAITING: Final = mark("waiting for the players to begin match {match}")
TABLE_REMOVED: Final = mark("removed")

RULES_BROKEN: Final = {
    "off-board": mark("beyond the board"),
    "outside-field": mark("beyond the border"),
    "overlap": mark("on another piece"),
    "not-a-piece": mark("no piece of the game"),
    "two-pieces": mark("two pieces at once"),
    "wrong-size": mark("a piece of another size"),
    "piece-used": mark("used before"),
    "touches-own-side": mark("touches its own colour at a side"),
    "no-own-corner": mark("touches no corner of its own colour"),
    "misses-start": mark("misses the starting square"),
    "wrong-turn": mark("not its turn"),
    "game-over": mark("the game is over"),
}
"""Rules in the few words that a list has room for."""

ROUND_STATES: Final = {
    "drawn": mark("drawn, not published"),
    "published": mark("published"),
    "locked": mark("locked"),
}

MATCH_STATES: Final = {
    "open": mark("not begun"),
    "playing": mark("playing"),
    "done": mark("done"),
    "reported": mark("waits for confirmation"),
    "disputed": mark("disputed"),
    "conflicting": mark("reports differ"),
}

WARNINGS: Final = {
    "rematch": mark("{names} have met before."),
    "balance": mark("{names} would begin much more or less often than the others."),
    "second-bye": mark("{names} would have a second bye."),
    "missing-table": mark("There are more matches than tables."),
}

TIE_BREAKS: Final = {
    "direct": mark("Direct encounter"),
    "median-buchholz": mark("Median-Buchholz"),
    "buchholz": mark("Buchholz"),
    "wins": mark("Wins"),
    "margin": mark("Margin"),
    "scores": mark("Sum of scores"),
    "head-to-head": mark("Head to head"),
    "margin-without-best": mark("Margin without the best match"),
    "sonneborn-berger": mark("Sonneborn-Berger"),
    "final-table": mark("Table of the final"),
    "final-result": mark("Result of the final"),
}

TIE_BREAKS_WHY: Final = {
    "direct": mark("points of the matches among each other, if all of them met"),
    "median-buchholz": mark("points of the opponents without the best and the worst"),
    "buchholz": mark("points of the opponents"),
    "wins": mark("number of wins"),
    "margin": mark("sum of the differences of the scores"),
    "scores": mark("sum of the own scores"),
    "head-to-head": mark(
        "before the others if all of them were beaten, behind them if all were lost to"
    ),
    "margin-without-best": mark(
        "sum of the differences without the match in which it was greatest"
    ),
    "sonneborn-berger": mark("points of the opponents, each times the points won against them"),
    "final-table": mark("table of the last round in the order of the draw"),
    "final-result": mark("points of the last round"),
}

HALL_PRESETS: Final = {
    "two-players": mark("Two players: win 1, draw ½"),
    "olympiad-old": mark("Mind Sports Olympiad, two players, old"),
    "olympiad-new": mark("Mind Sports Olympiad, two players, new"),
    "four-players": mark("Four players, final by rank"),
    "sum-of-scores": mark("Sum of scores"),
}

HALL_ANSWERS: Final = {
    "done": mark("Done."),
    "unfit": mark("That could not be understood; nothing was changed."),
    "wrong-number": mark("This number pairs no phone; it may be wrong or too old."),
    "busy": mark("Too many attempts at once; wait a moment."),
    "not-paired": mark("This phone is not paired with the hall."),
    "not-allowed": mark("Only an organiser may do that."),
    "stale": mark(
        "Somebody else has changed this meanwhile; look at it again. Nothing was changed by you."
    ),
    "warned": mark("There is something to note before this is done:"),
    "no-tournament": mark("Set up the tournament first."),
    "no-such": mark("That is not there any more."),
    "too-few": mark("There are too few players for that."),
    "too-many": mark("That would be more than is possible: {detail}."),
    "same-name": mark("{detail} is entered already; add something that tells them apart."),
    "round-open": mark("Lock the round before first."),
    "not-drawn": mark("The round is not ready for that."),
    "published": mark("The round is published already."),
    "results-missing": mark("These matches have no result yet: {detail}."),
    "reason-missing": mark("Give a reason: a result counts already."),
    "in-round": mark("This player was in a round; withdraw instead."),
    "begun": mark("The rounds have begun; this cannot change any more."),
    "no-clock": mark("This round has no clock."),
    "not-saved": mark("The disk refused it, so nothing was changed. Make room and try again."),
    "not-possible": mark("That is not possible now."),
    "not-fitting": mark("Game and preset do not fit each other."),
    "list-too-long": mark("That is too much at once; enter the list in parts."),
    "bad-name": mark("A name has 1 to 40 characters on one line; this one does not fit: {detail}"),
    "entered": mark("Entered: {detail}."),
}
"""Replies to commands."""
