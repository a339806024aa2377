from dataclasses import replace
from gettext import NullTranslations

import pytest

from tests.support import example_pages
from web.contract import (
    BoardFailureCode,
    EndReasonCode,
    MoveEntry,
    Page,
    RefereeState,
    RefereeStatus,
    Result,
    RuleCode,
    ViolationEntry,
)
from web.i18n.phrases import COLOURS, LABELS, RULES, STATES
from web.i18n.wording import Wording

ENGLISH = Wording()
G7, G8, H2 = (7, 6), (6, 6), (12, 7)


def refused(*reasons: ViolationEntry) -> Page:
    return replace(
        example_pages.empty(), state=RefereeStatus(RefereeState.REFUSED, colour=1, reasons=reasons)
    )


SENTENCES = {
    RuleCode.OFF_BOARD: "Refused: orange's piece reaches beyond the board; take it back.",
    RuleCode.OVERLAP: "Refused: orange's piece lies on covered squares at g7; take it back.",
    RuleCode.NOT_A_PIECE: "Refused: orange's piece is not one of the 21 shapes; take it back.",
    RuleCode.TWO_PIECES: "Refused: orange's piece is two pieces at once; take it back.",
    RuleCode.PIECE_USED: "Refused: orange's piece was laid before (at g8); take it back.",
    RuleCode.TOUCHES_OWN_SIDE: (
        "Refused: orange's piece touches its own side at g7 (next to g8); take it back."
    ),
    RuleCode.NO_OWN_CORNER: (
        "Refused: orange's piece touches no corner of its own colour; take it back."
    ),
    RuleCode.MISSES_START: (
        "Refused: orange's piece has to cover a starting square (g8); take it back."
    ),
    RuleCode.WRONG_TURN: "Refused: orange's piece was laid out of turn; take it back.",
    RuleCode.GAME_OVER: "Refused: orange's piece was laid after the end of the game; take it back.",
}


@pytest.mark.parametrize("rule", RuleCode)
def test_every_rule_has_its_sentence(rule: RuleCode) -> None:
    assert ENGLISH.state(refused(ViolationEntry(rule, (G7,), (G8,)))) == SENTENCES[rule]


def test_all_broken_rules_are_reported() -> None:
    page = refused(
        ViolationEntry(RuleCode.TOUCHES_OWN_SIDE, (G7, H2), (G8,)),
        ViolationEntry(RuleCode.WRONG_TURN, (G7,)),
    )
    assert ENGLISH.state(page) == (
        "Refused: orange's piece touches its own side at g7, h2 (next to g8), "
        "it was laid out of turn; take it back."
    )


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
            RefereeStatus(RefereeState.DISTURBED, 0, squares=(G7, G8), lies=(G7,), belongs=(G8,)),
            "Pieces have moved; purple's piece goes from g7 back to g8.",
        ),
        (
            RefereeStatus(RefereeState.DISTURBED, 1, squares=(G8,), belongs=(G8,)),
            "Pieces have moved; orange's piece is missing and goes to g8.",
        ),
        (
            RefereeStatus(RefereeState.DISTURBED, 1, squares=(G8,), lies=(G7,)),
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
        (RefereeStatus(RefereeState.BOARD_LOST), "The board cannot be seen."),
        (
            RefereeStatus(RefereeState.BOARD_LOST, failure=BoardFailureCode.OVEREXPOSED),
            (
                "The board cannot be seen: most of the picture is burnt out; "
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
    assert STATES.keys() == set(RefereeState)
    assert RULES.keys() == set(RuleCode)
    assert (
        ENGLISH.state(replace(example_pages.empty(), state=RefereeStatus(RefereeState.ACCEPTED)))
        == "Accepted."
    )


def test_the_end_names_the_winner_and_the_scores() -> None:
    page = example_pages.duo_over()
    assert ENGLISH.state(page) == "Game over: orange wins, −18 against −24."
    resigned = replace(page, result=Result(winner=(1,), how=EndReasonCode.RESIGNED))
    assert ENGLISH.state(resigned).endswith("−18 against −24; the others gave up.")
    abandoned = replace(page, result=Result(how=EndReasonCode.ABANDONED))
    assert ENGLISH.state(abandoned) == "Game over: without a result."
    tie = replace(page, result=Result(tied=(0, 1)))
    assert ENGLISH.state(tie) == "Game over: a tie between purple and orange at −24."


def test_a_team_wins_together() -> None:
    page = example_pages.page_of(example_pages.played("classic-teams", 99, seed=2))
    over = replace(
        page, result=Result(winner=(0, 2)), state=RefereeStatus(RefereeState.GAME_OVER), turn=None
    )
    best, other = (ENGLISH.score(side.score) for side in over.sides)
    assert ENGLISH.state(over).startswith(f"Game over: blue and red win, {best} against {other}.")


def test_a_colour_that_is_out_is_refused_as_such() -> None:
    page = example_pages.empty()
    purple, orange = page.colours
    page = replace(page, colours=(purple, replace(orange, out=True)))
    assert ENGLISH.state(page) == "Waiting for purple. Orange has no move left and passes."


def test_lights_that_have_failed_are_reported_on_every_screen() -> None:
    text = ENGLISH.state(replace(example_pages.empty(), lights=False))
    assert text.startswith("Waiting for purple. The lights have failed,")


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
    assert "take it back" in ENGLISH.announcement(example_pages.duo_refused())
    passed = replace(page, moves=(MoveEntry(3, 1),), turn=None)
    assert ENGLISH.announcement(passed) == "Ben (orange) passes."
    unnamed = tuple(replace(colour, player="") for colour in page.colours)
    assert ENGLISH.announcement(replace(passed, colours=unnamed)) == "Orange passes."


def test_words_from_people_are_never_taken_for_places_to_fill() -> None:
    name, page = "{colour} {0} {squares.__class__}", example_pages.empty()
    first, *others = page.colours
    page = replace(page, colours=(replace(first, name=name), *others))
    assert name in ENGLISH.state(page)


def test_a_language_is_a_set_of_translations() -> None:
    class Shouting(NullTranslations):
        def gettext(self, message: str) -> str:
            return {"waiting for {colour}": "HEY, {colour}", "purple": "PURPLE"}.get(
                message, message
            )

    assert Wording(Shouting()).state(example_pages.empty()) == "HEY, PURPLE."


def test_a_colour_without_a_name_of_ours_keeps_its_own() -> None:
    page = example_pages.empty()
    assert ENGLISH.colour(replace(page.colours[0], name="teal")) == "teal"
    assert {ENGLISH.colour(replace(page.colours[0], name=name)) for name in COLOURS} == set(COLOURS)
    assert all(ENGLISH.label(key) for key in LABELS)
