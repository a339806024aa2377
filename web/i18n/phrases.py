"""All texts that a viewer reads, in English, marked for translation; see `web.i18n.wording`.

The tables hold gettext's message ids. Their translations are in `web/translations`, one file a
language; `make words` updates those from this file and `web.i18n.hall_phrases`, and compiles them.
"""

from typing import Final

from web.contract import (
    AnswerCode,
    BoardFailure,
    CameraFault,
    CommandName,
    EndReason,
    HintStep,
    MoveReasonCode,
    PlayerFailure,
    Rating,
    RefereeState,
    RefusalReason,
    Rule,
    Scoring,
)


def mark(message: str) -> str:
    """Marks a message id for extraction; returns it unchanged."""
    return message


COLOURS: Final = {
    "purple": mark("purple"),
    "orange": mark("orange"),
    "black": mark("black"),
    "white": mark("white"),
    "blue": mark("blue"),
    "yellow": mark("yellow"),
    "red": mark("red"),
    "green": mark("green"),
}

STATES: Final = {
    RefereeState.SEARCHING: mark("looking for a board; its size says which game is played"),
    RefereeState.NEW_GAME: mark("new game: {colour} begins"),
    RefereeState.ANEW_ASKED: mark(
        "the board is empty, but the game is not finished; lay the pieces back to go on, "
        "or begin anew on a paired phone"
    ),
    RefereeState.WAITING: mark("waiting for {colour}"),
    RefereeState.HAND: mark("a hand is over the board"),
    RefereeState.SETTLING: mark("looking closely"),
    RefereeState.ACCEPTED: mark("accepted"),
    RefereeState.TO_LIFT: mark("lift {piece} from {squares}; it does not count"),
    RefereeState.REFUSED: mark("refused; take the piece back"),
    RefereeState.DISTURBED: mark("pieces have moved; put them back as shown"),
    RefereeState.UNSURE: mark(
        "not sure what lies on the board; clear it, or have the arbiter say that it is right"
    ),
    RefereeState.BOARD_LOST: mark("looking for the board"),
    RefereeState.CAMERA_AWAY: mark("the camera gives no pictures"),
    RefereeState.PAUSED: mark("paused"),
    RefereeState.GAME_OVER: mark("game over: {result}"),
}

STATES_WITH_SQUARES: Final = {
    RefereeState.DISTURBED: mark("pieces have moved; put them back as shown at {squares}"),
    RefereeState.UNSURE: mark("not sure what was laid at {squares}; please confirm"),
}
"""The same states for messages that name squares."""

STATES_OF_PUZZLE: Final = {
    RefereeState.NEW_GAME: mark("lay the first piece; the time runs from then on"),
    RefereeState.ANEW_ASKED: mark(
        "the board is empty, but the puzzle is not solved; lay the pieces back to go on, "
        "or begin anew on a paired phone"
    ),
    RefereeState.WAITING: mark("lay a piece, or lift one"),
    RefereeState.GAME_OVER: mark("{result}"),
}
"""The states that a puzzle words in another way."""

NEW_GAME_BY: Final = mark("new game: {player} begins")
"""The same where the name of the person is known."""

OTHER_BOARD: Final = mark(
    "this board has {size} squares along a side, but an unfinished game is on one of {own}; "
    "bring that one to go on, or begin anew on a paired phone"
)
"""The same as `ANEW_ASKED` where another board lies on the table."""

UNCLEAR: Final = mark(
    "not sure what lies at {squares}; put it straight or take it away, "
    "or have the arbiter say what counts"
)
PENDING: Final = mark("what was laid since then counts as soon as this is settled")

GOES_BACK: Final = mark("pieces have moved; {piece} goes from {current} back to {target}")
MISSING: Final = mark("pieces have moved; {piece} is missing and goes to {target}")
IN_THE_WAY: Final = mark("pieces have moved; {piece} at {current} is in the way, lift it off")
WHOSE_TURN: Final = mark(
    "the board does not tell whose turn it is; the next piece does, or the arbiter"
)
COVERED: Final = mark("something covers {squares}; what lies there counts once it can be seen")

LIFT_FOR_COMPUTER: Final = mark("lift {piece} from {squares}; the computer's piece goes there")
LIFT_OR_COUNT: Final = mark(
    "the game has gone on beside it; lift it, or have the arbiter say that it counts"
)

ACCEPTED_MOVE: Final = mark("accepted: {move}")
SEARCHING_WHY: Final = mark("looking for a board: {detail}")
BOARD_LOST_WHY: Final = mark("the board cannot be seen: {detail}")
CAMERA_AWAY_WHY: Final = mark("the camera gives no pictures: {detail}")

RULES: Final = {
    Rule.OFF_BOARD: mark(
        "{colour} pieces must lie wholly on the board: this one hangs over the edge"
    ),
    Rule.OUTSIDE_FIELD: mark(
        "{colour} pieces must lie inside the border: this one reaches beyond it at {squares}"
    ),
    Rule.OVERLAP: mark(
        "{colour} pieces may lie only on free squares: this one lies on another piece at {squares}"
    ),
    Rule.NOT_A_PIECE: mark("{colour} has 21 shapes: this is none of them"),
    Rule.TWO_PIECES: mark("{colour} may lay one piece in a turn: these are two"),
    Rule.WRONG_SIZE: mark(
        "{colour} may lay only pieces of the size that is due: this one is of another"
    ),
    Rule.PIECE_USED: mark("{colour} has each piece once: this one was laid before at {against}"),
    Rule.TOUCHES_OWN_SIDE: mark(
        "{colour} pieces may touch each other only at corners: this one shares a side at {squares}"
    ),
    Rule.NO_OWN_CORNER: mark(
        "{colour} pieces must touch each other at a corner: this one touches none"
    ),
    Rule.MISSES_START: mark(
        "the first {colour} piece must cover a starting square: this one leaves {against} free"
    ),
    Rule.WRONG_TURN: mark("{colour} has to wait: it is {turn}'s turn"),
    Rule.GAME_OVER: mark("{colour} can lay no more: the game is over"),
    Rule.NOT_CHOSEN: mark(
        "{colour} is the computer's, which has chosen: the computer's piece goes to {against}"
    ),
    Rule.STILL_THINKING: mark(
        "{colour} is the computer's, which still thinks: its piece counts once it has chosen"
    ),
}
"""Clauses that say a rule, and how a piece breaks it."""

COMPUTER_THINKS: Final = mark("the computer ({level}) thinks about {colour}'s move")
COMPUTER_PREPARES: Final = mark(
    "the computer ({level}) gets ready for {colour}'s move; the first time this takes a minute or "
    "several"
)
COMPUTER_CHOSE: Final = mark("the computer ({level}) has chosen: lay {colour} {piece} at {squares}")
GAVE_UP: Final = mark("the computer cannot play, so somebody else plays for it: {detail}")
COMPUTER_NAMED: Final = mark("Computer ({level})")

PLAYER_LEVELS: Final = (
    mark("newcomer"),
    mark("beginner"),
    mark("learner"),
    mark("casual"),
    mark("steady"),
    mark("skilled"),
    mark("strong"),
    mark("sharp"),
    mark("expert"),
    mark("master"),
    mark("grandmaster"),
    mark("champion"),
)
"""Names of the computer's levels, the weakest first."""

SLOW_PLAYER: Final = mark("this computer is too slow for stronger levels")
"""Clause where levels of the computer are chosen, if some are not offered."""

SLOW_FOR_LEVEL: Final = mark(
    "this computer is too slow for the level {level}: in its 6 s a move it plays about like "
    "{reached}"
)
"""Clause in a game in which the computer plays a level that is not offered."""

ADDRESSED: Final = mark("{player}, {clause}")
SOMEBODY_ELSE: Final = mark("somebody else")
TAKE_BACK: Final = mark("take the piece back")
PIECE_OF: Final = mark("{colour}'s piece")
OUT: Final = mark("{colour} has no move left and passes")
NOT_SAVED: Final = mark("not saved: the table cannot write its journal; the game goes on")
NOT_WHOLE: Final = mark("the journal was damaged: moves may be missing; compare with the board")
NO_LIGHTS: Final = mark("the lights have failed, what they show means nothing; the game goes on")

NO_BUTTONS: Final = mark(
    "the buttons have failed, the arbiter's phone does what they did; the game goes on"
)

NOT_RECORDED: Final = mark(
    "the recording has ended: its disk is full, slow or faulty; the game goes on"
)

TOO_HOT: Final = mark("the computer is hot ({celsius} °C) and slows down; give it air")
UNDERVOLTAGE: Final = mark(
    "the power supply gives the computer too little voltage; use the one made for it"
)

HINT_ASKED: Final = mark("the player is looking for a hint for {colour}")
HINT_SQUARES: Final = mark("a hint for {colour}: {squares}")
HINT_PIECE: Final = mark("a hint for {colour}: {piece}, about here: {squares}")
HINT_WHOLE: Final = mark("a hint for {colour}: {piece} at {squares}")
HINT_LIMIT: Final = mark("more than area and piece was not agreed on")
AREA: Final = mark("{first} to {last}")
"""Corners of an area."""

MOVE_REASONS: Final = {
    MoveReasonCode.ONLY_WINNING: mark("proved: no other move wins; this one wins by {number}"),
    MoveReasonCode.TAKES_THE_WISH: mark(
        "it takes what the computer expects of the other side: {squares}"
    ),
    MoveReasonCode.KEEPS_OPTIONS: mark(
        "few moves keep so many ways to go on: {number} placements for the next turn"
    ),
    MoveReasonCode.BLOCKS: mark("few moves take so many placements from the other side: {number}"),
    MoveReasonCode.SHUTS_OUT: mark(
        "few moves shut the other side out of so many squares: {number}"
    ),
    MoveReasonCode.REACHES: mark("few moves open the way to so many new squares: {number}"),
    MoveReasonCode.TAKES_CORNERS: mark(
        "few moves take so many corners of the other side: {number}, at {squares}"
    ),
    MoveReasonCode.STRANDS: mark(
        "few moves leave so many pieces of the other side without a place next turn: {number}"
    ),
    MoveReasonCode.LARGE_NOW: mark("few places are left for this large piece: {number}"),
}
"""Reasons for a move; see `PROVEN` for the one that depends on its number."""

PROVEN: Final = (
    mark("proved: you lose by {number}, and no move does better"),
    mark("proved: a tie with best play"),
    mark("proved: you win by {number}"),
)
"""The proved end of a game: a loss, a tie, a win."""

NO_REASON: Final = mark("the computer finds it best; no single reason stands out")
NO_HINT: Final = mark("no hint: {detail}")
HINT_SEARCH: Final = mark("looking for a solution")
HINTS_OF_PUZZLE: Final = {
    HintStep.AREA: mark("look about here: {squares}"),
    HintStep.PIECE: mark("here goes {colour} {piece}: it covers {squares}"),
    HintStep.WHOLE: mark("here goes {colour} {piece}: {squares}"),
}
"""Steps of a hint in a puzzle; the first one is the answer, see `SOLVABILITY`."""

HINTS_OF_GAME: Final = {
    HintStep.WHERE: HINT_SQUARES,
    HintStep.REACH: HINT_SQUARES,
    HintStep.AREA: HINTS_OF_PUZZLE[HintStep.AREA],
    HintStep.PIECE: HINT_PIECE,
    HintStep.SQUARE: HINTS_OF_PUZZLE[HintStep.PIECE],
    HintStep.WHOLE: HINT_WHOLE,
}
"""Steps of a hint in a game; the last one has the reasons, see `MOVE_REASONS`."""

HINTS_TO_ASK_IN_GAME: Final = {
    None: mark("Hint"),
    HintStep.WHERE: mark("Hint: all of it"),
    HintStep.REACH: mark("Hint: all of it"),
    HintStep.AREA: mark("Hint: which piece?"),
    HintStep.PIECE: mark("Hint: which square?"),
    HintStep.SQUARE: mark("Hint: all of it"),
    HintStep.WHOLE: mark("Hint: why?"),
    HintStep.REASON: mark("Hint"),
}
"""Labels of the button for a hint in a game, by the step before."""

HINTS_TO_ASK: Final = {
    None: mark("Can it be solved?"),
    HintStep.SOLVABLE: mark("Hint: where?"),
    HintStep.AREA: mark("Hint: which piece?"),
    HintStep.PIECE: mark("Hint: all of it"),
    HintStep.WHOLE: mark("Hint"),
}
"""Labels of the button for a hint in a puzzle, by the step before."""

SOLVABILITY: Final = {
    AnswerCode.THINKING: mark("looking whether it can be solved"),
    AnswerCode.SOLVABLE: mark("it can still be solved"),
    AnswerCode.IMPOSSIBLE: mark("it can no longer be solved"),
    AnswerCode.UNKNOWN: mark("nobody knows whether it can still be solved"),
}
"""Answers to the question whether a puzzle can be solved."""

IMPOSSIBLE_SINCE: Final = mark("impossible since move {ply}: lift the piece at {squares}")
LEFT_OF_PUZZLE: Final = mark("{pieces} pieces left, {squares} squares")
SOLVED: Final = mark("solved in {time}")
NOT_SOLVED: Final = mark("not solved, {left}")
BEST: Final = mark("best time so far: {time}")

HINTS_LEFT: Final = mark("{count} left")

ONE_WINS: Final = mark("{names} wins")
TEAM_WINS: Final = mark("{names} win")
TIE: Final = mark("a tie between {names}; {count}")
BY: Final = mark("{wins} by {margin}; {count}")
"""The end of a game that the score decided. `count` is of `COUNTS`."""

COUNTS: Final = {
    Scoring.ADVANCED: mark("points: {score}"),
    Scoring.BASIC: mark("squares left: {score}"),
}
AGAINST: Final = mark("{score} against {others}")
ENDED: Final = {
    EndReason.SCORE: mark("{result}"),
    EndReason.RESIGNED: mark("{result}, as {others} gave up"),
    EndReason.TIME: mark("{result}, as the time of {others} ran out"),
    EndReason.ABANDONED: mark("without a result"),
    EndReason.SOLVED: SOLVED,
}
"""Sentences for the end of a game, by the reason."""

WHY: Final = {
    Scoring.ADVANCED: mark(
        "each square left costs a point; a colour that lays all its pieces gains 15, "
        "and 5 more if the single square came last"
    ),
    Scoring.BASIC: mark("whoever has the fewest squares left wins"),
}
"""Clauses on the way in which each scoring decides."""

BONUS: Final = mark("{names} laid every piece of a colour: {bonus}")
SHARED_COUNTS: Final = mark("{colour} is shared and counts for nobody")

LEADS: Final = mark("{names} leads by {margin}")
"""The lead of one person while a game lasts."""

LEAD: Final = mark("{names} lead by {margin}")
"""The lead of a team while a game lasts."""

LEVEL: Final = mark("{names} are level")
"""A lead that several share while a game lasts."""

ALL_LEVEL: Final = mark("all are level")
"""The score while a game lasts, if nobody leads."""

SQUARES_LAID: Final = mark("{laid} laid, {left} left")
REMATCH: Final = mark("rematch: {player} begins")
REMATCH_CLEARED: Final = mark("rematch: clear the board, and {player} begins")
NEXT_PERSON: Final = mark("the next person")
AND: Final = mark("{first} and {last}")
COMMA: Final = mark(", ")
FULL_STOP: Final = mark("{clause}.")
THEN: Final = mark("{first} {second}")
"""Two sentences in sequence: some scripts put no space between them."""

TIME_OUT: Final = mark("the time of {colours} has run out; the arbiter decides")
RESIGNED: Final = mark("{colours} gave up")
OVERRULED: Final = mark("{move}; the arbiter lets it stand")
LAID: Final = mark("{colour} lays {piece} at {squares}")
COLOUR_OF: Final = mark("{player} ({colour})")
"""A colour with the name of the person who plays it."""
PASSES: Final = mark("{colour} passes")

ANSWERS: Final = {
    "done": mark("Done."),
    "silent": mark("The table does not answer. Look at the board before you ask again."),
    "unfit": mark("That was not understood. Load the page again."),
    "shown": mark(
        "Look at the board: for two minutes it shows three groups of four digits, over and over. "
        "Bars count the groups, dots the digits. Type all twelve here."
    ),
    "not-shown": mark(
        "The table has no lights that could show a number now. "
        "Run cornerlight pair on it, and type the number here."
    ),
    RefusalReason.NOT_PAIRED: mark("This phone is not paired with the table."),
    RefusalReason.WRONG_NUMBER: mark("That is not the number of the table."),
    RefusalReason.WAIT: mark(
        "The board showed a number not long ago. Wait before you ask for the next."
    ),
    RefusalReason.STALE: mark("The game has gone on since; look, and ask again."),
    RefusalReason.REPEATED: mark("That was asked before, and answered then."),
    RefusalReason.NOT_POSSIBLE: mark("That cannot be done now."),
    RefusalReason.NOT_FITTING: mark("These choices do not fit each other or the game."),
    RefusalReason.HINTS_SPENT: mark("All the hints that were agreed on have been asked for."),
    RefusalReason.NO_HINTS_AGREED: mark("No hints were agreed on for the person to move."),
    RefusalReason.NO_PLAYER: mark("There is no player on this table that could give a hint."),
    RefusalReason.BUSY: mark("The table is busy. Ask again in a moment."),
    RefusalReason.NO_SEAT: mark("You have no seat at this table. Load the page again."),
    RefusalReason.SEAT_TAKEN: mark("Somebody else has taken this seat."),
    RefusalReason.NOT_YOURS: mark("This piece belongs to another seat."),
    RefusalReason.OTHER_SEAT: mark("That is for the person at another seat."),
    RefusalReason.CALL_ENDED: mark("A call has just ended. Call again in a few seconds."),
    "no-reason": mark("Write what is wrong with the result, in at most 200 characters."),
}
"""Replies to commands."""

WAIT_FOR_NEXT: Final = mark(
    "The board showed a number not long ago. It can show the next in {seconds} seconds; "
    "cornerlight pair gives one at once."
)

WORDS: Final = {
    CommandName.NEW_GAME: mark("New game"),
    CommandName.BEGIN_ANEW: mark("Begin anew"),
    CommandName.REMATCH: mark("Rematch"),
    CommandName.CHOOSE: mark("Choose"),
    CommandName.REFUSE: mark("None of these"),
    CommandName.UNDO: mark("Undo"),
    CommandName.SET_POSITION: mark("Accept the board as it is"),
    CommandName.OVERRULE: mark("Let it stand"),
    CommandName.PAUSE: mark("Pause"),
    CommandName.RESUME: mark("Go on"),
    CommandName.RESIGN: mark("Give up"),
    CommandName.END: mark("End the game"),
    CommandName.END_TURN: mark("End the turn"),
    CommandName.ASSIGN_SEAT: mark("Who plays for the computer"),
    CommandName.CALIBRATE: mark("Camera alignment"),
    CommandName.INSPECT: mark("Check the set-up"),
    CommandName.MEASURE_LENS: mark("Measure the lens"),
    CommandName.PROBE_LIGHTS: mark("Light them one by one"),
    CommandName.CHECK_LIGHTS: mark("Look yourself"),
    CommandName.HINT: mark("Hint"),
    CommandName.CANCEL_HINT: mark("Cancel the hint"),
    CommandName.UNPAIR: mark("Forget this phone"),
}
"""Labels of the arbiter's buttons."""

OPTIONS: Final = {
    "duo": mark("Duo, two people"),
    "classic": mark("Classic, four people"),
    "classic-2": mark("Classic for two, two colours each"),
    "classic-3": mark("Classic for three, shared colour"),
    "classic-teams": mark("Classic, two against two"),
    "duo-4": mark("Duo for two, two colours each"),
    "duo-4-3": mark("Duo for three, shared colour"),
    "puzzle-all": mark("All 84 pieces"),
    "puzzle-all-by-size": mark("All 84 pieces, large ones first"),
    "puzzle-tetrominoes": mark("Tetrominoes, 8 × 10"),
    "puzzle-tetrominoes-apart": mark("Tetrominoes apart, 8 × 10"),
    "puzzle-pentominoes": mark("Pentominoes, 15 × 16"),
    "puzzle-pentominoes-apart": mark("Pentominoes apart, 15 × 16"),
    "auto": mark("as the camera sees them"),
    "purple-orange": mark("purple and orange"),
    "black-white": mark("black and white"),
    "blue-green": mark("blue and green"),
    "red-yellow": mark("red and yellow"),
    "blue-yellow-red-green": mark("blue, yellow, red, green"),
    "advanced": mark("points; the highest wins"),
    "basic": mark("squares in hand; the fewest win"),
    "until-next-move": mark("until the next piece is laid"),
    "arbiter": mark("only with the arbiter"),
    "any": mark("at any time"),
    "itself": mark("when the piece lies"),
    "button": mark("with the button"),
    "none": mark("no clock"),
    "sudden-death": mark("so long for the whole game"),
    "increment": mark("and more after each move"),
    "delay": mark("with free time in each turn"),
    "score": mark("by the score as it stands"),
    "time": mark("lost on time"),
    "abandoned": mark("without a result"),
    "usual": mark("the usual ones"),
    "first-piece": mark("whose piece is laid first"),
    "edge-0": mark("bottom"),
    "edge-1": mark("right"),
    "edge-2": mark("top"),
    "edge-3": mark("left"),
    "edge": mark("usual edge"),
    "hint-everything": mark("everything"),
    "hint-area-and-piece": mark("area and piece"),
    "hint-none": mark("none"),
    "family": mark("Family evening"),
    "club": mark("Club with clocks"),
    "beginners": mark("Beginners with hints"),
}
"""Options of a game, and of its end; names of usual choices of these options."""

PRESETS: Final = {
    "family": mark("No clock; the fewest squares in hand win."),
    "club": mark("15 minutes each and 10 s more after each move; lifting needs the arbiter."),
    "beginners": mark("No clock, five hints for each; the fewest squares in hand win."),
}
"""Sentences on the usual choices."""

ENDINGS: Final = {
    "score": mark(
        "The game ends with the score as it stands. Pieces in hand can no longer be laid."
    ),
    "time": mark("The game ends now, and those whose time has run out have lost it."),
    "abandoned": mark(
        "Nobody wins: the score of the {count} pieces laid counts for nothing. The moves stay "
        "among the past games, as a game without a result."
    ),
}
"""Sentences on what is lost when an arbiter ends a game."""

DATE: Final = mark("{day} {month} {year}")
MONTHS: Final = (
    mark("January"),
    mark("February"),
    mark("March"),
    mark("April"),
    mark("May"),
    mark("June"),
    mark("July"),
    mark("August"),
    mark("September"),
    mark("October"),
    mark("November"),
    mark("December"),
)
"""Names of the months from January, for `month` of `DATE`."""

FOUND: Final = mark("{count} found")
"""Number of games that a search has found."""

NONE_FOUND: Final = mark("No past game fits “{query}”.")

PUZZLES_WHY: Final = {
    "puzzle-all": mark("Lay every piece on the board by the rules of the game."),
    "puzzle-all-by-size": mark("The same, all fives first, then the fours, and so on."),
    "puzzle-tetrominoes": mark("Fill the field with the 20 pieces of four squares."),
    "puzzle-tetrominoes-apart": mark("The same, and no two of a colour share a side."),
    "puzzle-pentominoes": mark("Fill the field with the 48 pieces of five squares."),
    "puzzle-pentominoes-apart": mark("The same, and no two of a colour share a side."),
}
"""Sentences on the puzzles."""

TITLES: Final = {
    "Duo": mark("Duo"),
    "Classic": mark("Classic"),
    "Classic for two": mark("Classic for two"),
    "Classic for three": mark("Classic for three"),
    "Classic in teams": mark("Classic in teams"),
    "Duo with four colours": mark("Duo with four colours"),
    "Duo with four colours for three": mark("Duo with four colours for three"),
    "All pieces": mark("All pieces"),
    "All pieces by size": mark("All pieces by size"),
    "Tetrominoes": mark("Tetrominoes"),
    "Tetrominoes apart": mark("Tetrominoes apart"),
    "Pentominoes": mark("Pentominoes"),
    "Pentominoes apart": mark("Pentominoes apart"),
}

CAMERA_FAULTS: Final = {
    CameraFault.MISSING: mark("it is not connected; plug it in"),
    CameraFault.BUSY: mark("another program uses it; close that program"),
    CameraFault.NO_PERMISSION: mark("this program may not use it; see the terminal"),
    CameraFault.UNREACHABLE: mark(
        "it cannot be reached; look whether it is on and in the same network"
    ),
    CameraFault.PASSWORD: mark("it asks for another user or password"),
    CameraFault.NO_PICTURES: mark("its address gives no pictures; look at the address"),
    CameraFault.SILENT: mark(
        "it has sent none for 3 s; look at its cable, its power or its network"
    ),
    CameraFault.STANDS_STILL: mark("the picture stands still; start the camera or its app again"),
    CameraFault.OTHER_SIZE: mark("its pictures have another size than was asked for"),
    CameraFault.FAILED: mark("it has failed; the table tries again every few seconds"),
}
"""Reasons for which a camera gives no pictures, as the end of a sentence."""

BOARD_FAILURES: Final = {
    BoardFailure.NO_BOARD: mark(
        "no board found: no field of 14x14 or 20x20 squares can be told for sure; "
        "take the picture from above with the whole board in it, or give its corners"
    ),
    BoardFailure.COVERED: mark(
        "markers were found, but no field of squares between them; "
        "make sure that nothing covers the board and that it is in focus"
    ),
    BoardFailure.PARTIAL: mark(
        "squares are seen, but no whole field of 14x14 or 20x20 of them; have all four "
        "corners of the board in the picture, and nothing lying over its edges"
    ),
    BoardFailure.TWO_BOARDS: mark(
        "two boards are in the picture, and either could be meant; crop it to one of "
        "them, or give that one's corners with --corners"
    ),
    BoardFailure.DRAWING: mark(
        "this is a screenshot or a drawing, no photograph of a board; take a photograph "
        "of the board on the table"
    ),
    BoardFailure.TOO_SMALL: mark(
        "the picture is too small to show a board; give one of 400 pixels or more"
    ),
    BoardFailure.TOO_DARK: mark(
        "the picture is too dark to see a board in; turn on a light or expose it longer"
    ),
    BoardFailure.OVEREXPOSED: mark(
        "most of the picture is burnt out; expose it less, or turn the lamp aside"
    ),
    BoardFailure.OUT_OF_FOCUS: mark(
        "the picture is too blurred to see squares in; hold the camera still and focus on the board"
    ),
    BoardFailure.BLURRED: mark(
        "the picture is blurred; focus the camera, wipe its lens, and see that nothing shakes it"
    ),
    BoardFailure.MOVED_AWAY: mark(
        "the board or the camera has moved and the grid was not found again; "
        "clear the board's edges, or calibrate anew"
    ),
    BoardFailure.OTHER_COLOURS: mark(
        "the colours on the board are not those of the game; name them with --edition, "
        "or in the setting game.edition"
    ),
    BoardFailure.NO_COLOURS: mark(
        "the picture has no colours; switch off the night mode or the black-and-white filter of "
        "the camera, or name a black and white set with --edition black-white"
    ),
    BoardFailure.BANDS: mark(
        "bands run through the picture, as a flickering lamp makes them; use another lamp, or set "
        "the mains' frequency in the camera's app or by camera.mains_hz"
    ),
    BoardFailure.MIRRORED: mark(
        "the picture is mirrored, as its markers show; switch mirroring off in the camera's app, "
        "or set camera.mirror = true (false if it is true already)"
    ),
}
"""Reasons that the board is not found."""

HINT_FAILURES: Final = {
    PlayerFailure.NOT_INSTALLED: mark(
        "the player needs numba; install it with: pip install 'cornerlight[player]'"
    ),
    PlayerFailure.NO_MEMORY: mark(
        "this machine has too little free memory for the player; close other programs"
    ),
    PlayerFailure.NOT_STARTED: mark("the player's process cannot be started"),
    PlayerFailure.ENDED: mark("the player's process has ended; ask for a new one"),
    PlayerFailure.NO_MOVE: mark("the player named no move that the rules allow"),
    PlayerFailure.LATE: mark("the player has not answered; try again"),
}
"""Reasons for which there is no hint."""

POINTS: Final = {
    "board": mark("Board"),
    "markers": mark("Markers"),
    "framing": mark("Framing"),
    "resolution": mark("Resolution"),
    "focus": mark("Focus"),
    "exposure": mark("Light"),
    "glare": mark("Glare"),
    "colours": mark("Colours"),
    "flicker": mark("Flicker"),
    "view": mark("Field of view"),
}
"""Checks of the set-up."""

STEPS: Final = {
    "picture": mark("Picture"),
    "board": mark("Board"),
    "check": mark("Check"),
    "lens": mark("Lens"),
    "lights": mark("Lights"),
    "game": mark("Game"),
}
"""Steps of the set-up."""

TASKS: Final = {
    "picture": mark(
        "Have the camera look straight down, with the whole board and a strip of table around it "
        "in the picture."
    ),
    "board": mark(
        "Look whether the yellow frame lies on the field of squares; if not, drag its corners "
        "there."
    ),
    "check": mark("Have the table look at board, light and camera, and fix what it names."),
    "lens": mark(
        "Move the empty board about in the picture, also to its edges and a little tilted, and "
        "let it lie still for two seconds at each place."
    ),
    "lights": mark(
        "Look yourself whether the lights are right, or empty the board and have the camera look "
        "while they are lit one after another."
    ),
    "panel": mark(
        "Look yourself whether the lights are right. Then empty the board and have the table look, "
        "while the panel is lit and dark in turn, if its light falls on the board."
    ),
    "game": mark("Choose the game, name who plays, and begin."),
}
"""Sentences on what to do in each step of the set-up."""

STEP_STATES: Final = {
    "picture-done": mark("The camera gives pictures."),
    "picture-open": mark("Waiting for the first picture of the camera."),
    "board-done": mark("The board is found."),
    "board-by-hand": mark("The board is read where you have set its corners."),
    "board-open": mark("The board is not found yet."),
    "check-done": mark("Nothing needs fixing."),
    "check-mend": mark("Something needs fixing before a game."),
    "check-open": mark("Not checked yet."),
    "lens-done": mark("The lens is measured."),
    "lens-none": mark("Not measured; this step may be left out."),
    "lens-running": mark("The board was seen at {views} of {wanted} places."),
    "lens-failed": mark(
        "The lines of the board were not seen clearly enough: empty the board, mind focus and "
        "light, and begin again."
    ),
    "lights-done": mark("The lights lie as the settings say."),
    "lights-delay": mark(
        "The lights lie as the settings say. Pictures show them {delay} s later, which is waited "
        "for."
    ),
    "lights-none": mark("Not looked for yet."),
    "lights-running": mark("{lit} lights were lit so far."),
    "lights-failed": mark(
        "No layout fits what the camera saw: empty the board, darken the room a little, and begin "
        "again."
    ),
    "lights-other": mark(
        "The lights lie otherwise than the settings say: write these lines there, and start the "
        "table again."
    ),
    "test-running": mark("Look at the lights, picture {number} of {count}: is it so?"),
    "test-done": mark("The lights look right."),
    "test-failed": mark("Change what is named below, start the table again, and look again."),
    "panel-none": mark("Not looked for yet; nothing waits for the panel to be dark."),
    "panel-running": mark("The panel is lit and dark in turn."),
    "panel-done": mark("Its light does not fall on the board: nothing waits for it to be dark."),
    "panel-lights": mark(
        "Its light falls on the board, so it goes dark before the board is judged. To spare that, "
        "turn it away or set it further off, and look again."
    ),
    "panel-failed": mark(
        "The board was not seen clearly: keep hands away from it, and begin again."
    ),
    "game-open": mark("No piece has been laid yet."),
    "game-done": mark("The game goes on."),
}
"""Sentences on the state of each step of the set-up."""

LIGHTS_SEEN: Final = {
    "red": mark("Every light is red."),
    "green": mark("Every light is green."),
    "blue": mark("Every light is blue."),
    "first LED": mark("One light is white, at the place drawn here."),
    "first line": mark("A whole line of lights is green, as drawn here."),
    "second line": mark(
        "The first line ends in red and the second begins in blue, at the places drawn here."
    ),
    "panels": mark("Each panel shows its number, row by row from the top left."),
    "corners of the board": mark(
        "The corner squares of the board are red at the top left, then clockwise green, blue and "
        "white."
    ),
    "dot": mark("A white dot runs over every square, row by row from the top left."),
    "dark": mark("Every light is dark."),
}
"""Sentences on what a person sees in each step of the test of the lights if all is right."""

LIGHT_REMEDIES: Final = {
    "order": mark("Set lights.order = {value}."),
    "order elsewhere": mark("Set the order of colours in the LED preferences of WLED."),
    "first LED": mark("Set lights.first to the corner where the white light is, seen from above."),
    "first line": mark(
        "Set lights.along = {value}; if the line is too long or too short, set lights.columns and "
        "lights.rows."
    ),
    "second line": mark("Set lights.serpentine = {value}."),
    "panels": mark(
        "Wire the panels in this order and all the same way up, or change lights.panels_across "
        "and lights.panels_down."
    ),
    "corners of the board": mark(
        "Set lights.left and lights.top to the columns and rows of lights outside the board."
    ),
    "dot": mark(
        "A light that stays dark is broken, or the joint before it; behind it all others stay dark."
    ),
    "dark": mark(
        "Connect the ground of the supply with that of the computer, and shift the data to 5 V."
    ),
}
"""Sentences on what to change for each step of that test that looks otherwise."""

LEVELS: Final = {
    Rating.FINE: mark("fine"),
    Rating.FAIR: mark("could be better"),
    Rating.MEND: mark("needs fixing"),
    Rating.UNMEASURED: mark("not measured"),
}

FAULTS: Final = {
    "not-found": mark(
        "No board is found: have the whole board in the picture, from above, and nothing on it."
    ),
    "mirrored": mark(
        "The picture is mirrored, as its markers show: switch mirroring off in the camera's app, "
        "or set camera.mirror = true (false if it is true already)."
    ),
    "lines-off": mark("The corners do not lie on the lines of the board: set them anew."),
    "markers-missing": mark(
        "Not all markers are seen: put all four in full view, flat and without gloss."
    ),
    "markers-askew": mark("A marker is stuck on askew: lay its edges along those of the board."),
    "markers-unlike": mark(
        "The markers look unlike in size: print all four alike, and lay them level."
    ),
    "cut-off": mark(
        "Part of the board is outside the picture: move the camera up or the board in."
    ),
    "tight": mark(
        "Leave a square of table in the picture on each side of the board, "
        "or a piece over the edge is not noticed."
    ),
    "cropped": mark(
        "The camera leaves out a part of what its lens sees: mount it higher than the plan says."
    ),
    "slanted": mark("The camera looks from the side: mount it above the middle of the board."),
    "off-centre": mark("Move the board to the middle of the picture, where the lens is best."),
    "too-small": mark(
        "Squares are small in the picture: bring the camera closer or choose a higher resolution."
    ),
    "no-edges": mark("Not one plain edge is seen: bring light to the board, and focus on it."),
    "blurred": mark(
        "Edges are smeared: focus on the board, keep the camera still, and bring more light."
    ),
    "dark": mark("The picture is dark: bring more light, or expose longer."),
    "bright": mark("The board is overexposed and its colours fade: expose less."),
    "noisy": mark("The picture is grainy: bring more light, so that the camera needs less gain."),
    "squares-lost": mark(
        "A lamp is mirrored so brightly that squares are lost: move or shade the lamp."
    ),
    "glare": mark("A lamp is mirrored on some squares: move or shade it, or expose less."),
    "no-pieces": mark(
        "Lay a large piece of each colour on the board to have the colours compared."
    ),
    "doubtful": mark(
        "Some squares are in doubt: lay a large piece of each colour on the board to have the "
        "colours compared."
    ),
    "colours-alike": mark(
        "Two colours look much alike: bring whiter and more even light, and name the edition."
    ),
    "one-frame": mark("Flicker needs several pictures: check once more."),
    "flicker": mark(
        "The light flickers: choose an exposure that is a multiple of the mains' half wave, and "
        "switch automatic exposure off."
    ),
    "bands": mark(
        "Bands run through the picture: choose an exposure that is a multiple of the mains' half "
        "wave, and switch automatic exposure off."
    ),
}
"""Faults of a set-up and their remedies, by the check's code; for any other the table's own text
is shown."""

AT_SQUARES: Final = mark("{sentence} See {squares}.")

LABELS: Final = {
    "hall": mark("Hall"),
    "beside": mark("At the table"),
    "state": mark("State"),
    "board": mark("Board"),
    "scores": mark("Scores"),
    "trays": mark("Pieces in hand"),
    "moves": mark("Moves"),
    "no-moves": mark("No piece has been laid yet."),
    "camera": mark("The table, live"),
    "no-table": mark("Waiting for the table to begin."),
    "table-away": mark("The table does not answer. This is what it showed last."),
    "stale": mark("Nothing new since {time}; the game may have gone on."),
    "live": mark("Live"),
    "polling": mark("Live, every few seconds"),
    "lost": mark("Connection lost, trying again"),
    "away": mark("Offline"),
    "to-move": mark("to move"),
    "out": mark("no move left"),
    "winner": mark("winner"),
    "tied": mark("tied"),
    "shared": mark("shared"),
    "squares": mark("Squares of the board"),
    "free-square": mark("free"),
    "start-square": mark("starting square"),
    "covered-square": mark("covered"),
    "last": mark("last move"),
    "pending": mark("not settled yet"),
    "refused": mark("refused"),
    "to-lift": mark("to be lifted"),
    "nothing-left": mark("Everything is on the board."),
    "pass": mark("pass"),
    "advanced": mark("points; the highest wins"),
    "basic": mark("squares in hand; the fewest win"),
    "menu": mark("Menu"),
    "more-commands": mark("More"),
    "language": mark("Language"),
    "this-device": mark("This device"),
    "aloud": mark("Say moves aloud"),
    "aloud-missing": mark("This browser has no voice to say moves with."),
    "awake": mark("Keep the screen on"),
    "awake-missing": mark(
        "A page in the local network cannot keep the screen on. "
        "Set the screen's own time-out, or leave a television on the page for the wall."
    ),
    "install-missing": mark(
        "It cannot be installed as an app; a bookmark on the home screen does the same."
    ),
    "wall": mark("Page for a television"),
    "watch": mark("The game now"),
    "invitation": mark("Address for phones"),
    "follow": mark("Follow the game on a phone"),
    "follow-how": mark(
        "Scan the code, or type the address into a browser. "
        "The phone has to be in the same network."
    ),
    "games": mark("Past games"),
    "no-games": mark("No game has been finished here yet."),
    "search": mark("Search"),
    "search-how": mark("Player, game or date"),
    "all-games": mark("All past games"),
    "no-date": mark("date unknown"),
    "unfinished": mark("unfinished"),
    "older": mark("Older games"),
    "newer": mark("Newer games"),
    "stored-other-version": mark(
        "Another version of the program has stored this game: restart the table, which brings "
        "it up to date, or names in its log what it cannot read."
    ),
    "stored-damaged": mark(
        "The file pages.jsonl of this game is damaged: restart the table, which rebuilds it "
        "from the game's events, or names in its log what it cannot read."
    ),
    "stored-missing": mark(
        "The file pages.jsonl of this game is missing: restart the table, which rebuilds it "
        "from the game's events, or names in its log what it cannot read."
    ),
    "stored-in-part": mark(
        "A stored file of this game is damaged, so moves may be missing here; "
        "compare with the record."
    ),
    "no-page": mark("There is no such page."),
    "how": mark("Final score"),
    "question": mark("Questions of the table"),
    "laid": mark("laid"),
    "in-hand": mark("in hand"),
    "bonus": mark("bonus"),
    "total": mark("score"),
    "course": mark("Lead over time"),
    "picture": mark("Picture to share"),
    "replay": mark("Move by move"),
    "record": mark("Record to keep"),
    "play": mark("Play"),
    "halt": mark("Pause"),
    "go-to": mark("Go there"),
    "before-first": mark("Before the first move."),
    "position-set": mark("The position was set by the arbiter."),
    "first-ply": mark("To the beginning"),
    "back-ply": mark("One move back"),
    "next-ply": mark("One move on"),
    "last-ply": mark("To the end"),
    "clock": mark("Clock"),
    "time-out": mark("time is up"),
    "overruled": mark("stands by the arbiter's word"),
    "arbiter": mark("Arbiter"),
    "pair": mark("Pair this phone"),
    "pair-why": mark("Whoever stands at the table can correct it from a paired phone."),
    "pair-how": mark(
        "Have the table show a number, or run cornerlight pair on it, "
        "and type its twelve digits here."
    ),
    "undecided": mark(
        "The table does not answer, so nobody can tell whether this phone is paired. "
        "This page asks again by itself."
    ),
    "show-number": mark("Show a number at the table"),
    "number": mark("Number"),
    "which-one": mark("Which is right? Touch it."),
    "counts-again": mark("Does this piece count after all?"),
    "lies-beside": mark("Go on beside it"),
    "whose-turn": mark("Whose turn is it?"),
    "go-on": mark("Go on or begin anew?"),
    "anew-why": mark("The game so far is kept among the past games, as unfinished."),
    "yes": mark("Yes"),
    "no": mark("No"),
    "cancel": mark("Cancel"),
    "undo-why": mark("The last move is taken back. Its owner lifts the piece."),
    "overrule-why": mark("The piece breaks a rule and counts. The record says so."),
    "overrule-lifted-why": mark("The piece counts after all."),
    "stand-why": mark("What the camera sees now is the position. Whose turn is it?"),
    "end-why": mark("How does it end?"),
    "end-now": mark("End the game now"),
    "anew-sure": mark("Begin a new game"),
    "resign-why": mark("Who gives up?"),
    "leave-puzzle": mark("Leave the puzzle"),
    "leave-why": mark("It stays among the past games, not solved."),
    "stand-puzzle-why": mark("What the camera sees now is the position."),
    "again": mark("Once more"),
    "puzzles-group": mark("Puzzles for one"),
    "time-taken": mark("Time taken"),
    "presets": mark("Usual choices"),
    "forget-names": mark("Forget the names on this device"),
    "new-why": mark(
        "The game on the table ends without a result; its moves stay among the past games, as "
        "unfinished."
    ),
    "begin": mark("Begin"),
    "game": mark("Game"),
    "edition": mark("Colours"),
    "names": mark("Who plays, in the order of play"),
    "name": mark("Name"),
    "scoring": mark("Scoring"),
    "takeback": mark("A piece may be lifted again"),
    "turn_end": mark("A turn ends"),
    "timing": mark("Time"),
    "minutes": mark("Minutes for each person"),
    "step_s": mark("Seconds for each move"),
    "hints": mark("Hints for each person"),
    "hint-amount": mark("How much a hint tells each person"),
    "first": mark("Who begins"),
    "shared-colour": mark("Shared colour"),
    "seat": mark("Edge of the board"),
    "human": mark("a person"),
    "player": mark("Played by"),
    "computer-again": mark("Let the computer play again"),
    "take-over": mark("A person takes over"),
    "computers-move": mark("the computer's move"),
    "seats-why": mark("Where each sits is where the lights call them."),
    "settings": mark("More to agree on"),
    "hint": mark("Hint"),
    "hint-wait": mark("That takes two seconds, and up to a few minutes the first time."),
    "setup": mark("The set-up"),
    "looking": mark("The table is looking ..."),
    "by-hand": mark("Set piece by piece"),
    "by-hand-why": mark(
        "Choose a colour and touch its squares; those that touch each other are one piece. "
        "Touch a piece to take it away."
    ),
    "next-piece": mark("Next piece"),
    "clear": mark("Empty the board"),
    "as-text": mark("As text, a piece a line"),
    "turn": mark("Whose turn"),
    "set-position": mark("It stands like this"),
    "corner-a": mark("corner a, top"),
    "corner-b": mark("corner at the right, top"),
    "corner-c": mark("corner at the right, bottom"),
    "corner-d": mark("corner a, bottom"),
    "corners-dropped": mark(
        "The board lies elsewhere than when its corners were set, so those corners were dropped."
    ),
    "not-stored": mark(
        "The table cannot store the set-up; it holds until the table ends. See its log."
    ),
    "next": mark("Next"),
    "stop": mark("Stop"),
    "light-panel": mark("Light the panel"),
    "use-corners": mark("The board is here"),
    "find-corners": mark("Detect automatically"),
    "needs-script": mark("This needs JavaScript."),
    "no-picture": mark("The table offers no picture now."),
    "back": mark("Back"),
    "evidence": mark("What the camera saw"),
    "before": mark("before"),
    "after": mark("after"),
}

PLAY: Final = {
    "play": mark("Play"),
    "table": mark("Table"),
    "real": mark("This table is real: lay the pieces on its board."),
    "computer": mark("Against the computer"),
    "computer-why": mark("You begin, it answers."),
    "level": mark("The computer's level"),
    "by-hand": mark("I lay the computer's pieces myself"),
    "here": mark("Two or more people here"),
    "here-why": mark("All lay their pieces on this screen."),
    "phones": mark("A phone for each player"),
    "phones-why": mark("The others scan a code and take a seat."),
    "watch": mark("Watch a game"),
    "watch-why": mark("The computer plays all seats."),
    "puzzles": mark("Or a puzzle for one"),
    "colours": mark("Colour to lay"),
    "tour": mark("Show me how it works"),
    "tour-why": mark("Two minutes, step by step."),
    "how": mark("How do you want to play?"),
    "sit": mark("Sit here"),
    "stand": mark("Leave the seat"),
    "empty": mark("Free this seat"),
    "free": mark("free"),
    "taken": mark("taken"),
    "computer-name": mark("Computer"),
    "your-name": mark("Your name"),
    "join": mark("Scan this code to take a seat:"),
    "seats": mark("Seats"),
    "no-seat": mark("Take a free seat to play, or watch."),
    "begin-here": mark("To begin a game, open this page on the computer that runs it."),
    "diagram": mark("Diagram"),
    "trays": mark("Your pieces"),
    "turn-left": mark("Turn left"),
    "turn-right": mark("Turn right"),
    "flip": mark("Flip"),
    "lay": mark("Lay it here"),
    "back-to-tray": mark("Back to the tray"),
    "cancel": mark("Cancel"),
    "tidy": mark("Lay pieces tidily"),
    "tidy-why": mark("Off: they lie exactly as you let them go."),
    "sight": mark("Show what the camera sees"),
    "props": mark("What can go wrong"),
    "props-why": mark("Try to confuse the referee."),
    "cup": mark("Cup on the board"),
    "dim": mark("Dim the lamp"),
    "lamp": mark("Move the lamp"),
    "glare": mark("Glare"),
    "hand": mark("Leave a hand there"),
    "camera-bump": mark("Bump the camera"),
    "board-bump": mark("Bump the board"),
    "nudge": mark("Nudge a piece"),
    "picture": mark("Camera picture of the table"),
    "how-to": mark(
        "Drag a piece onto the board. Turn it with R, the wheel or two fingers, flip it with F. "
        "With the keyboard: choose a piece with Enter, one on the board also with N, move it with "
        "the arrow keys, lay it with Enter, give it back with Escape."
    ),
    "opponent-simple": mark("The computer plays simply."),
    "opponent-preparing": mark(
        "The computer plays simply, until its strong player is ready in a minute or two."
    ),
    "opponent-strong": mark("The computer's strong player plays, at the level that was chosen."),
    "held": mark("{piece}, middle at {square}"),
    "off-board": mark("{piece}, beside the board"),
    "new": mark("New game"),
}
"""Texts for people who play at a simulated table."""

CLUB: Final = {
    "hall": mark("{hall}, table {table}"),
    "hall-away": mark("The hall cannot be reached now. This table goes on by itself."),
    "round": mark("Round {round}"),
    "round-clock": mark("Time of the round"),
    "next": mark("Next, round {round}: {players}"),
    "against": mark("{first} against {second}"),
    "i-am": mark("I am {name}"),
    "yours": mark("your seat"),
    "call": mark("Call the arbiter"),
    "calls": mark("{name} calls the arbiter."),
    "called": mark("The arbiter is called to this table."),
    "came": mark("End the call"),
    "offer": mark("Round {round}: {players}"),
    "offer-at": mark("Round {round}: {players}, table {table}"),
    "offer-game": mark("It can begin after the game on the table."),
    "offer-people": mark("It begins when all its players are ready."),
    "offer-board": mark("All are ready. It begins when the board is empty."),
    "ready": mark("I am {name}: ready"),
    "is-ready": mark("{name} is ready"),
    "begin": mark("Begin for all"),
    "is-it-right": mark("Is this result right?"),
    "confirmed": mark("Both sides have confirmed the result."),
    "answer-none": mark("No answer yet."),
    "answer-confirmed": mark("Confirmed."),
    "answer-disputed": mark("Disputed: {sentence}"),
    "confirm": mark("Yes"),
    "dispute": mark("No"),
    "why": mark("What is wrong?"),
    "send": mark("Send"),
}
"""Texts for people at a table besides the game: the hall, a call of the arbiter, a match."""

TOUR: Final = {
    "count": mark("Step {step} of {steps}"),
    "next": mark("Next"),
    "skip": mark("Skip"),
    "leave": mark("Leave the tour"),
    "again": mark("Begin the tour again"),
    "done": mark("Done."),
    "lay": mark(
        "Drag the marked piece, {piece}, to {square}: a first piece covers one of the rings."
    ),
    "answer": mark("Accepted. Now the other player lays a piece."),
    "side": mark("Now break a rule: lay {piece} at {square}, right beside your own piece."),
    "take-back": mark("Refused: read why. Then drag the piece off the board again."),
    "nudge": mark("Press the marked button: somebody pushes a piece aside."),
    "nudge-then": mark("The referee has seen it. Drag the piece back onto the marked squares."),
    "cup": mark("Press the marked button: somebody puts a cup on the board."),
    "cup-then": mark(
        "What the cup covers counts once it can be seen. Press the button again to take it away."
    ),
    "doubt": mark("Now a hand lays a piece carelessly, between the squares."),
    "doubt-then": mark("The referee is not sure, so it asks. Choose what was laid."),
    "phone": mark("Scan this code with a phone in the same network: it opens this table."),
    "no-phone": mark("This machine is in no network. In one, phones scan a code here."),
    "computer": mark("That is all. Now play against the computer: you begin, it answers."),
    "mend-refused": mark("This piece is refused. Drag it off the board."),
    "mend-disturbed": mark("Pieces have moved. Put them back onto the marked squares."),
    "mend-unsure": mark("The referee asks. Choose the answer that is right."),
    "mend-stray": mark("The referee cannot tell where this piece lies. Drag it off the board."),
    "mend-prop": mark("Something is in the way. Press the marked button to take it away."),
    "mend-lost": mark("The board cannot be seen. Press a marked button to push it back."),
    "mend-paused": mark("The game is paused. Press the marked button to go on."),
    "mend-over": mark("This is not the game of the tour. Begin the tour again."),
    "mend-away": mark("The table does not answer. Wait, or load the page again."),
}
"""Sentences of the guided tour, by its steps; those of `mend` help when something else happens."""

SHEETS: Final = {
    "ruler": mark("This line is 100 mm long. Print at 100 %, not “fit to page”."),
    "markers-title": mark("Markers for the camera"),
    "markers-how": mark(
        "Print at 100 % and check the ruler. Cut along the dashed lines, keep the white border, "
        "and stick the markers flat beside the board as in the drawing. They lie left and right as "
        "the camera sees the board; the numbers tell which one goes where."
    ),
    "top-left": mark("top left"),
    "top-right": mark("top right"),
    "bottom-right": mark("bottom right"),
    "bottom-left": mark("bottom left"),
    "board-of": mark("{squares} × {squares} squares of {pitch} mm"),
    "board-here": mark("The board lies here."),
    "mat-one": mark(
        "Or use the next sheet as a mat: the markers are on it, and the board lies in the middle."
    ),
    "mat-many": mark(
        "Or tape the next sheets together to a mat: the markers are on it, and the board lies in "
        "the middle."
    ),
    "tape": mark("Cut at the left and the upper dashed line; tape it onto its neighbours."),
    "card-title": mark("Follow the game on a phone"),
    "card-watch": mark("Everybody may watch. Nothing has to be installed."),
    "card-wifi": mark("Join this WiFi:"),
    "card-scan": mark("Scan the code, or type this into the browser:"),
    "card-address": mark("If the name does not open, type this address:"),
    "card-pair": mark("The arbiter's phone"),
    "card-pair-why": mark(
        "A paired phone settles doubts, takes moves back, and begins and ends games."
    ),
    "card-pair-open": mark("Open this on the phone:"),
    "card-pair-number": mark(
        "Type the number of the table: run “cornerlight pair” on it, or hold the button of "
        "somebody who is not to move, and the board shows it in its lights."
    ),
    "rules-need": mark("{people} people · {size} × {size} squares · 21 pieces of each colour"),
    "rules-begin": mark("To begin"),
    "rules-turn": mark("A turn"),
    "rules-end": mark("The end"),
    "rules-points": mark("Points"),
    "rules-pieces": mark("The 21 pieces of a colour"),
    "rules-table": mark("At this table"),
    "rules-start": mark("The first piece of a colour covers a starting square."),
    "rules-corner": mark("Each later one touches its own colour at a corner,"),
    "rules-side": mark("and never along a side."),
    "rules-lay": mark(
        "Lay one piece. It may touch other colours in any way, and stays where it is."
    ),
    "rules-pass": mark(
        "Whoever can lay a piece has to. A colour that cannot passes; the game ends when none can."
    ),
    "rules-highest": mark("The highest total wins."),
    "rules-simple": mark("Or, simpler: {rule}"),
    "rules-camera": mark(
        "Lay your piece and take the hand away. Where a rule is broken the table says which one, "
        "in lights and on every phone: take the piece back and lay another."
    ),
    "starts-two": mark(
        "The person who begins chooses one of the two marked squares, the other person has the "
        "other one."
    ),
    "round": mark("Round {round}"),
    "round-by-name": mark("Round {round}, by name"),
    "table": mark("Table"),
    "table-number": mark("Table {table}"),
    "player": mark("Player"),
    "first-player": mark("Begins"),
    "result": mark("Result"),
    "bye": mark("bye"),
    "standings-after": mark("Standings after round {round}"),
    "place": mark("Place"),
    "points": mark("Points"),
    "page-of": mark("Page {page} of {pages}"),
    "slip-how": mark("Write down the scores, sign, and bring this to the organiser."),
    "slip-score": mark("Score"),
    "slip-sign": mark("Signature"),
    "join-how": mark(
        "Hold this code under the camera of the table: it connects the table to the hall."
    ),
    "join-type": mark("Or run this on the table:"),
    "join-secret": mark(
        "The code is the key of this table. Keep it with the organiser, and show it in no picture."
    ),
    "starts-corners": mark("The marked corners are free for all colours, one for each."),
}
"""Texts of the sheets that are printed for a table."""

RULES_WHO: Final = {
    "duo": mark("Two people have one colour each. Draw lots for who begins."),
    "classic": mark("Four people have one colour each and play in the order {colours}."),
    "classic-2": mark(
        "One person plays {first} and {third}, the other one {second} and {fourth}, in the order "
        "{colours}."
    ),
    "classic-3": mark(
        "Three people play {first}, {second} and {third}. They share {fourth}: each lays it in "
        "turn, and it counts for nobody. The order is {colours}."
    ),
    "classic-teams": mark(
        "Two teams: {first} and {third} against {second} and {fourth}. Each person has one colour; "
        "the order is {colours}."
    ),
}
"""Sentences on who plays which colours, by the game."""

CAMERAS: Final = {
    "hq-6mm": mark("HQ Camera with a lens of 6 mm"),
    "gs-6mm": mark("Global Shutter Camera with a lens of 6 mm"),
    "usb": mark("Webcam, 70° across the diagonal"),
    "phone": mark("Phone, 79° across the diagonal"),
}
"""Names of cameras, where they are not those of products."""

MOUNTING: Final = {
    "title": mark("How high does the camera hang?"),
    "board": mark(
        "For a board of {squares} × {squares} squares of {pitch} mm with a rim of {rim} mm, and "
        "the camera above its middle. “cornerlight print height” tells it for other boards."
    ),
    "camera": mark("Camera"),
    "height": mark("above the squares"),
    "mast": mark("above the table"),
    "arm": mark("mast from the middle"),
    "view": mark("shows"),
    "square": mark("pixels a square"),
    "corner": mark("corner"),
    "few": mark("too few: bring the camera closer, or choose a higher resolution"),
}
"""Texts on the places of cameras above a board."""

OVERLAY: Final = {
    "unknown": mark("An overlay has no parameter “{name}”. It has {allowed}."),
    "wrong": mark("“{value}” is no value for {name}. Right is: {allowed}."),
    "no-such-table": mark("There is no table {value}."),
    "wait": mark("The delayed picture begins in {time}."),
    "silent": mark("No news from the table"),
    "move": mark("Move {ply}"),
    "following": mark("Next: {names}"),
}
"""Texts of the overlay for streams."""

REVIEW: Final = {
    "review": mark("Review"),
    "none": mark("This game has no review yet."),
    "progress": mark("The computer looks at the game: {searched} of {all} positions."),
    "second": mark("The computer looks at the most important moves again."),
    "no-player": mark("There are no chances: {detail}."),
    "chances": mark("Chances of the players in %"),
    "share": mark(
        "With more than two players, a chance is the share of the others that a player beats."
    ),
    "mobility": mark("Number of places for each colour"),
    "turning": mark("Turning point: from move {ply} on, {player} led to the end."),
    "led": mark("{player} led from the beginning to the end."),
    "a-move": mark("Points lost a move: {players}"),
    "of-player": mark("{player} {points}"),
    "tenths": mark("{whole}.{tenth}"),
    "moments": mark("The moves that cost most"),
    "no-moments": mark("No move cost much."),
    "cost": mark("This took the chance from {before} % to {after} %."),
    "points": mark("The computer expects that it cost {points} points."),
    "better": mark("{piece} at {squares} was better."),
    "could-have-won": mark("Proved: {player} could still have won with it."),
    "find": mark("Find the better move"),
    "turn": mark("It is the turn of {player}. Lay a better piece than {piece}: touch its squares."),
    "as-text": mark("Squares of the piece, for example e10 f10"),
    "check": mark("Check this move"),
    "clear": mark("Take the piece back"),
    "show": mark("Show the better move"),
    "right": mark("Right! This move is as good as the best one."),
    "wrong": mark("This is not one of the best moves."),
    "laid": mark("laid in the game"),
    "best": mark("better"),
    "left": mark("Pieces left over"),
    "no-place": mark("no place any more since move {ply} ({colour})"),
    "by-hand": mark("no place any more since pieces were set by hand"),
    "never": mark("never had a place"),
    "has-place": mark("still has a place"),
}
"""Texts of the review of a game."""

SPECTATORS: Final = {
    "find": mark("Find your table"),
    "find-how": mark("A part of your name"),
    "none": mark("Nobody of that name is entered."),
    "at-table": mark("Table {table}"),
    "watch": mark("Board of table {table}"),
    "begins": mark("{name} begins."),
    "you-begin": mark("You begin."),
    "not-in-round": mark("Not in round {round}."),
    "no-round": mark("No round is published yet."),
    "follows": mark("This page follows you through all rounds: leave it open."),
    "all-tables": mark("All tables"),
    "slips": mark("Slips for results"),
}
"""Texts of the pages of a hall for spectators."""
