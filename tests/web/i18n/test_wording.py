from dataclasses import replace

import pytest

from firmware.codes import EndReason, PlayerFailure, Rule, Scoring
from firmware.game.config import GameConfig
from firmware.game.seating import person_of
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, default_edition
from tests.support import example_pages
from vision.errors import BoardFailure
from web.contract import (
    CommandName,
    GameResult,
    MachineStatus,
    MoveEntry,
    Page,
    PlayerClock,
    PlayerStart,
    RefereeState,
    RefereeStatus,
    RefusedPiece,
    SeatLevel,
    ViolationEntry,
)
from web.i18n.languages import wording_of
from web.i18n.texts import section_of
from web.i18n.wording import Wording

ENGLISH = Wording()
G7, G8, H2 = (7, 6), (6, 6), (12, 7)
WAITING = RefereeStatus(RefereeState.WAITING, colour=0)


def refused(*reasons: ViolationEntry, player: str = "") -> Page:
    page = example_pages.empty()
    purple, orange = page.colours
    piece = RefusedPiece(1, (G7,), reasons)
    return replace(
        page,
        colours=(purple, replace(orange, player=player)),
        state=RefereeStatus(RefereeState.REFUSED, colour=1),
        refused=(piece,),
    )


SENTENCES = {
    Rule.OFF_BOARD: ("orange pieces must lie wholly on the board: this one hangs over the edge."),
    Rule.OUTSIDE_FIELD: (
        "orange pieces must lie inside the border: this one reaches beyond it at g7."
    ),
    Rule.WRONG_SIZE: (
        "orange may lay only pieces of the size that is due: this one is of another."
    ),
    Rule.OVERLAP: (
        "orange pieces may lie only on free squares: this one lies on another piece at g7."
    ),
    Rule.NOT_A_PIECE: "orange has 21 shapes: this is none of them.",
    Rule.TWO_PIECES: "orange may lay one piece in a turn: these are two.",
    Rule.PIECE_USED: "orange has each piece once: this one was laid before at g8.",
    Rule.TOUCHES_OWN_SIDE: (
        "orange pieces may touch each other only at corners: this one shares a side at g7."
    ),
    Rule.NO_OWN_CORNER: ("orange pieces must touch each other at a corner: this one touches none."),
    Rule.MISSES_START: (
        "the first orange piece must cover a starting square: this one leaves g8 free."
    ),
    Rule.WRONG_TURN: "orange has to wait: it is Anna's turn.",
    Rule.GAME_OVER: "orange can lay no more: the game is over.",
    Rule.NOT_CHOSEN: (
        "orange is the computer's, which has chosen: the computer's piece goes to g8."
    ),
    Rule.STILL_THINKING: (
        "orange is the computer's, which still thinks: its piece counts once it has chosen."
    ),
}


@pytest.mark.parametrize("rule", Rule)
def test_every_rule_is_taught_to_whoever_broke_it(rule: Rule) -> None:
    broken = ViolationEntry(rule, (G7,), (G8,))
    for player, start in (("", ""), ("Ben", "Ben, ")):
        page = refused(broken, player=player)
        [sentence] = ENGLISH.refusal(page, page.refused[0])
        assert sentence == ENGLISH.capital(start + SENTENCES[rule])


def test_all_broken_rules_are_taught_and_the_name_is_said_once() -> None:
    page = refused(
        ViolationEntry(Rule.TOUCHES_OWN_SIDE, (G7, H2), (G8,)),
        ViolationEntry(Rule.WRONG_TURN, (G7,)),
        player="Ben",
    )
    assert ENGLISH.refusal(page, page.refused[0]) == (
        (
            "Ben, orange pieces may touch each other only at corners: "
            "this one shares a side at g7, h2."
        ),
        "Orange has to wait: it is Anna's turn.",
    )


def test_a_turn_that_nobody_knows_is_somebody_else_s() -> None:
    page = replace(refused(ViolationEntry(Rule.WRONG_TURN, (G7,))), turn=None)
    [sentence] = ENGLISH.refusal(page, page.refused[0])
    assert sentence == "Orange has to wait: it is somebody else's turn."


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_taught_in_every_game(game: str) -> None:
    page = example_pages.page_of(example_pages.played(game, 6))
    for colour, own in enumerate(page.colours):
        reasons = tuple(ViolationEntry(rule, (G7,), (G8,)) for rule in Rule)
        sentences = ENGLISH.refusal(page, RefusedPiece(colour, (G7,), reasons))
        assert len(set(sentences)) == len(Rule)
        assert sentences[0].startswith(f"{own.player}, {own.name}")
        assert all(own.name in sentence.lower() for sentence in sentences)


def test_a_refusal_is_spoken_once_while_the_hand_comes_and_goes() -> None:
    page = refused(ViolationEntry(Rule.NO_OWN_CORNER, (G7,)), player="Ben")
    codes = (RefereeState.REFUSED, RefereeState.HAND, RefereeState.SETTLING)
    spoken = {
        ENGLISH.announcement(replace(page, state=RefereeStatus(code, colour=1))) for code in codes
    }
    assert spoken == {
        (
            "Ben, orange pieces must touch each other at a corner: this one touches none. "
            "Take the piece back."
        )
    }
    lost = replace(page, state=RefereeStatus(RefereeState.BOARD_LOST))
    assert ENGLISH.announcement(lost) == "Looking for the board."


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (RefereeStatus(RefereeState.WAITING, colour=0), "Waiting for purple."),
        (RefereeStatus(RefereeState.HAND), "A hand is over the board."),
        (RefereeStatus(RefereeState.SETTLING), "Looking closely."),
        (RefereeStatus(RefereeState.ACCEPTED), "Accepted: Anna (purple) lays 1 at e10."),
        (RefereeStatus(RefereeState.DISTURBED), "Pieces have moved; put them back as shown."),
        (
            RefereeStatus(RefereeState.DISTURBED, squares=(G7, G8)),
            "Pieces have moved; put them back as shown at g7, g8.",
        ),
        (
            RefereeStatus(
                RefereeState.DISTURBED,
                0,
                squares=(G7, G8),
                current_squares=(G7,),
                target_squares=(G8,),
            ),
            "Pieces have moved; purple's piece goes from g7 back to g8.",
        ),
        (
            RefereeStatus(RefereeState.DISTURBED, 1, squares=(G8,), target_squares=(G8,)),
            "Pieces have moved; orange's piece is missing and goes to g8.",
        ),
        (
            RefereeStatus(RefereeState.DISTURBED, 1, squares=(G8,), current_squares=(G7,)),
            "Pieces have moved; orange's piece at g7 is in the way, lift it off.",
        ),
        (
            RefereeStatus(RefereeState.UNSURE, asked=(0, 1)),
            "The board does not tell whose turn it is; the next piece does, or the arbiter.",
        ),
        (
            RefereeStatus(RefereeState.UNSURE),
            "Not sure what lies on the board; clear it, or have the arbiter say that it is right.",
        ),
        (
            RefereeStatus(RefereeState.UNSURE, squares=(G7,)),
            (
                "Not sure what lies at g7; put it straight or take it away, "
                "or have the arbiter say what counts."
            ),
        ),
        (RefereeStatus(RefereeState.PAUSED), "Paused."),
        (RefereeStatus(RefereeState.BOARD_LOST), "Looking for the board."),
        (
            RefereeStatus(RefereeState.BOARD_LOST, failure=BoardFailure.OVEREXPOSED),
            (
                "The board cannot be seen: much of the picture is burnt out; "
                "expose it less, or turn the lamp aside."
            ),
        ),
    ],
)
def test_every_state_has_its_sentence(state: RefereeStatus, sentence: str) -> None:
    moves = (MoveEntry(1, 0, "1", ((4, 4),)),)
    assert ENGLISH.state(replace(example_pages.empty(), state=state, moves=moves)) == sentence


def test_covered_squares_are_named_while_the_board_is_in_view() -> None:
    page = replace(example_pages.empty(), covered=(G7, G8))
    sentence = "Something covers g7, g8; what lies there counts once it can be seen."
    assert ENGLISH.state(page) == f"Waiting for purple. {sentence}"
    assert sentence not in ENGLISH.state(
        replace(page, state=RefereeStatus(RefereeState.BOARD_LOST))
    )


def test_no_state_is_without_words() -> None:
    assert section_of("states").keys() == set(RefereeState)
    assert section_of("rules").keys() == set(Rule)
    assert (
        ENGLISH.state(replace(example_pages.empty(), state=RefereeStatus(RefereeState.ACCEPTED)))
        == "Accepted."
    )


def test_the_end_names_the_winner_and_the_margin() -> None:
    page = example_pages.duo_over()
    assert ENGLISH.state(page) == "Game over: Ben wins by 6; points: −18 against −24."
    nameless = replace(page, colours=tuple(replace(c, player="") for c in page.colours))
    assert ENGLISH.result(nameless) == "orange wins by 6; points: −18 against −24"
    basic = replace(
        page,
        scoring=Scoring.BASIC,
        sides=(replace(page.sides[0], score=24), replace(page.sides[1], score=18)),
    )
    assert ENGLISH.result(basic) == "Ben wins by 6; squares left: 18 against 24"
    abandoned = replace(page, result=GameResult(how=EndReason.ABANDONED))
    assert ENGLISH.state(abandoned) == "Game over: without a result."
    tie = replace(page, result=GameResult(tied=(0, 1)))
    assert ENGLISH.state(tie) == "Game over: a tie between Anna and Ben; points: −24."


def test_an_end_that_the_score_did_not_decide_names_no_margin() -> None:
    page = example_pages.duo_over()
    won = GameResult(winner=(0,), how=EndReason.RESIGNED)
    assert ENGLISH.result(replace(page, result=won)) == "Anna wins, as Ben gave up"
    late = replace(
        page,
        result=GameResult(winner=(0,), how=EndReason.TIME),
        clocks=(PlayerClock((0,), 1000), PlayerClock((1,), -5, timed_out=True)),
    )
    assert ENGLISH.result(late) == "Anna wins, as the time of Ben ran out"
    four = example_pages.page_of(example_pages.played("classic", 99, seed=4))
    won = GameResult(winner=(2,), how=EndReason.RESIGNED)
    left = replace(four, result=won, resigned=(0, 3))
    assert ENGLISH.result(left) == "Chie wins, as Anna and Dora gave up"
    assert ENGLISH.result(replace(left, resigned=())) == "Chie wins, as Anna, Ben and Dora gave up"


def test_who_gave_up_before_the_end_is_not_who_was_beaten() -> None:
    page = example_pages.page_of(example_pages.played("classic", 99, seed=4))
    sides = tuple(replace(side, score=-n) for n, side in zip((9, 1, 4, 7), page.sides, strict=True))
    page = replace(page, sides=sides, resigned=(1,), result=GameResult(winner=(2,)))
    assert ENGLISH.result(page) == "Chie wins by 3; points: −4 against −7 and −9"


def test_a_team_wins_together() -> None:
    page = example_pages.page_of(example_pages.played("classic-teams", 99, seed=2))
    over = replace(
        page,
        result=GameResult(winner=(0, 2)),
        state=RefereeStatus(RefereeState.GAME_OVER),
        turn=None,
    )
    best, other = (side.score for side in over.sides)
    assert ENGLISH.state(over).startswith(
        f"Game over: Anna and Chie win by {abs(best - other)}; "
        f"points: {ENGLISH.score(best)} against {ENGLISH.score(other)}."
    )


@pytest.mark.parametrize(
    ("game", "scores", "lead"),
    [
        ("duo", (-40, -44), "Anna leads by 4"),
        ("duo", (-44, -44), "All are level"),
        ("classic", (-60, -55, -50, -51), "Chie leads by 1"),
        ("classic", (-60, -50, -50, -51), "Ben and Chie are level"),
        ("classic-2", (-60, -58), "Ben leads by 2"),
        ("classic-3", (-60, -58, -50), "Chie leads by 8"),
        ("classic-teams", (-110, -117), "Anna and Chie lead by 7"),
        ("duo-4", (-60, -58), "Ben leads by 2"),
        ("duo-4-3", (-60, -58, -61), "Ben leads by 2"),
    ],
)
def test_the_lead_is_said_in_every_game(game: str, scores: tuple[int, ...], lead: str) -> None:
    page = example_pages.page_of(example_pages.played(game, 6))
    sides = tuple(replace(side, score=s) for side, s in zip(page.sides, scores, strict=True))
    page = replace(page, sides=sides)
    assert ENGLISH.lead(page) == lead
    fewest = tuple(replace(side, score=-side.score) for side in sides)
    assert ENGLISH.lead(replace(page, sides=fewest, scoring=Scoring.BASIC)) == lead


def test_nobody_leads_before_the_first_piece_after_the_end_or_when_given_up() -> None:
    assert ENGLISH.lead(example_pages.empty()) == ""
    assert ENGLISH.lead(example_pages.duo_over()) == ""
    page = example_pages.page_of(example_pages.played("classic", 6))
    sides = tuple(replace(side, score=-n) for n, side in zip((1, 5, 7, 9), page.sides, strict=True))
    assert ENGLISH.lead(replace(page, sides=sides, resigned=(0,))) == "Ben leads by 2"


@pytest.mark.parametrize("game", GAMES)
def test_the_rematch_says_who_begins(game: str) -> None:
    page = example_pages.page_of(example_pages.played(game, 99, seed=3))
    config = GameConfig(GAMES[game], names=tuple("abcd"[: GAMES[game].people]))
    [next_name, *_] = config.next_game(default_edition(GAMES[game])).names
    names = tuple(
        replace(colour, player=config.names[person_of(Position.start(game), index)])
        for index, colour in enumerate(page.colours)
    )
    page = replace(page, colours=names)
    cleared = f"Rematch: clear the board, and {next_name} begins."
    assert ENGLISH.rematch(page) == cleared
    offered = replace(page, possible=(CommandName.REMATCH,))
    assert ENGLISH.rematch(offered) == f"Rematch: {next_name} begins."
    assert ENGLISH.rematch(replace(page, result=None, state=WAITING)) == ""


def test_a_rematch_without_names_names_a_colour_where_that_says_who() -> None:
    for page, who in (
        (example_pages.duo_over(), "orange"),
        (example_pages.page_of(example_pages.played("classic", 99, seed=4)), "the next person"),
    ):
        nameless = replace(page, colours=tuple(replace(c, player="") for c in page.colours))
        assert ENGLISH.rematch(nameless) == f"Rematch: clear the board, and {who} begins."


def test_a_colour_that_is_out_is_refused_as_such() -> None:
    page = example_pages.empty()
    purple, orange = page.colours
    page = replace(page, colours=(purple, replace(orange, out=True)))
    assert ENGLISH.state(page) == "Waiting for purple. Orange has no move left and passes."


def test_lights_that_have_failed_are_reported_on_every_screen() -> None:
    text = ENGLISH.state(replace(example_pages.empty(), lights=False))
    assert text.startswith("Waiting for purple. The lights have failed,")


def test_a_trouble_of_the_computer_has_a_sentence_of_its_own() -> None:
    page = example_pages.duo_hot()
    assert ENGLISH.machine(page) == (
        "The computer is hot (82 °C) and slows down; give it air.",
        "The power supply gives the computer too little voltage; use the one made for it.",
    )
    assert ENGLISH.state(page) == "Waiting for orange."
    stays = replace(page, machine=MachineStatus(stays_on=True))
    assert ENGLISH.machine(stays) == ("The computer could not be switched off; the game goes on.",)
    for machine in (MachineStatus(), MachineStatus(hot=False, undervoltage=False)):
        assert ENGLISH.machine(replace(page, machine=machine)) == ()


def test_a_slow_machine_offers_fewer_levels_and_says_so() -> None:
    page = example_pages.empty()
    assert len(ENGLISH.player_levels(page)) == 12
    assert ENGLISH.slow_player(page) == ""
    slow = replace(page, machine=MachineStatus(highest_level=9))
    assert ENGLISH.player_levels(slow)[-1] == "expert"
    assert ENGLISH.slow_player(slow) == "This computer is too slow for stronger levels."


def test_a_recording_that_has_ended_is_reported_on_every_screen() -> None:
    text = ENGLISH.state(replace(example_pages.empty(), recording=False))
    assert text == (
        "Waiting for purple. The recording has ended: its disk is full, slow or faulty; "
        "the game goes on."
    )


def test_what_is_not_saved_is_reported_on_every_screen() -> None:
    text = ENGLISH.state(replace(example_pages.empty(), saved=False))
    assert text.startswith("Waiting for purple. Not saved:")


def test_a_journal_that_was_damaged_is_reported_on_every_screen() -> None:
    text = ENGLISH.state(replace(example_pages.empty(), whole=False))
    assert text.startswith("Waiting for purple. The journal was damaged: moves may be missing;")


def test_an_announcement_does_not_change_while_a_hand_comes_and_goes() -> None:
    page = example_pages.page_of(example_pages.played("duo", 2))
    texts = {
        ENGLISH.announcement(replace(page, state=RefereeStatus(code, colour=0)))
        for code in (
            RefereeState.WAITING,
            RefereeState.HAND,
            RefereeState.SETTLING,
            RefereeState.ACCEPTED,
        )
    }
    assert len(texts) == 1
    assert texts.pop().endswith("Waiting for purple.")
    passed = replace(page, moves=(MoveEntry(3, 1),), turn=None)
    assert ENGLISH.announcement(passed) == "Ben (orange) passes."
    unnamed = tuple(replace(colour, player="") for colour in page.colours)
    assert ENGLISH.announcement(replace(passed, colours=unnamed)) == "Orange passes."


def against_the_computer(state: RefereeStatus, *, has_chosen: bool = True) -> Page:
    """A game in which the computer plays purple, which is to move."""
    page = example_pages.empty()
    purple, orange = page.colours
    chosen = MoveEntry(1, 0, "1", (G7,)) if has_chosen else None
    return replace(
        page,
        colours=(replace(purple, player="", level=7), orange),
        state=state,
        turn=0,
        chosen=chosen,
    )


@pytest.mark.parametrize("code", [RefereeState.WAITING, RefereeState.NEW_GAME])
def test_what_the_computer_does_is_said_aloud_also_as_a_game_begins(code: RefereeState) -> None:
    thinks = against_the_computer(RefereeStatus(code, colour=0), has_chosen=False)
    assert ENGLISH.announcement(thinks) == "The computer (strong) thinks about purple's move."
    assert ENGLISH.announcement(replace(thinks, computer_prepares=True)) == (
        "The computer (strong) gets ready for purple's move."
    )
    chose = against_the_computer(RefereeStatus(code, colour=0))
    assert ENGLISH.announcement(chose) == "The computer (strong) has chosen: lay purple 1 at g7."


@pytest.mark.parametrize(
    ("language", "start", "sentence"),
    [
        ("en", (100, None), "The player starts."),
        ("en", (7, None), "The player is compiled for this computer, once: 7 %."),
        (
            "en",
            (31, 40),
            "The player is compiled for this computer, once: 31 %; ready in about 40 s.",
        ),
        (
            "de",
            (31, 40),
            "Der Spieler wird einmalig für diesen Rechner übersetzt: 31 %; bereit in etwa 40 s.",
        ),
        (
            "ja",
            (31, 40),
            "プレーヤーを準備しています（初回のみ）: 31 %。準備完了まで約40秒。",
        ),
    ],
)
def test_the_start_of_the_player_is_told_as_far_as_it_was_measured(
    language: str, start: PlayerStart, sentence: str
) -> None:
    assert wording_of(language).player_start(start) == sentence


def test_the_start_of_the_player_is_a_notice_where_the_computer_plays() -> None:
    starts = MachineStatus(player_start=(31, 40))
    told = "The player is compiled for this computer, once: 31 %; ready in about 40 s."
    assert told not in ENGLISH.machine(replace(example_pages.empty(), machine=starts))
    seats = (SeatLevel((0,), 7, 7), SeatLevel((1,), 0, 0))
    page = replace(example_pages.empty(), machine=starts, computer=seats)
    assert ENGLISH.machine(page) == (told,)
    assert ENGLISH.machine(replace(page, machine=MachineStatus())) == ()


@pytest.mark.parametrize(
    "code", [RefereeState.WAITING, RefereeState.NEW_GAME, RefereeState.UNSURE, RefereeState.HAND]
)
def test_that_the_computer_gave_its_seat_up_is_said_aloud(code: RefereeState) -> None:
    state = RefereeStatus(code, colour=0)
    page = replace(example_pages.empty(), gave_up=PlayerFailure.ENDED, state=state)
    assert "The computer cannot play" in ENGLISH.announcement(page)


def test_the_computers_move_is_said_beside_a_square_that_nothing_explains() -> None:
    page = against_the_computer(RefereeStatus(RefereeState.UNSURE, squares=(H2,)))
    for text in (ENGLISH.state(page), ENGLISH.announcement(page)):
        assert text.startswith("Not sure what lies at h2")
        assert text.endswith("The computer (strong) has chosen: lay purple 1 at g7.")
    asked = replace(page, state=replace(page.state, asked=(0, 1)))
    assert "has chosen" not in ENGLISH.state(asked)


def test_words_from_people_are_never_taken_for_places_to_fill() -> None:
    name, page = "{colour} {0} {squares.__class__}", example_pages.empty()
    first, *others = page.colours
    page = replace(page, colours=(replace(first, name=name), *others))
    assert name in ENGLISH.state(page)


def test_a_colour_without_a_name_of_ours_keeps_its_own() -> None:
    page = example_pages.empty()
    assert ENGLISH.colour(replace(page.colours[0], name="teal")) == "teal"
