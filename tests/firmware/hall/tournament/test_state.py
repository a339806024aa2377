"""The state of a tournament: events that follow, events that are refused, results that count."""

import pytest

from firmware.hall.tournament.codes import MatchState
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import (
    DrawnGroup,
    MatchForfeited,
    MatchMoved,
    MatchResultConfirmed,
    MatchResultDisputed,
    PlayerEntered,
    PlayerRemoved,
    PlayerReturned,
    PlayersSwapped,
    PlayerWithdrew,
    ResultCorrected,
    ResultReported,
    RoundDiscarded,
    RoundDrawn,
    RoundLocked,
    RoundPublished,
    SettingsChosen,
    TournamentEvent,
)
from firmware.hall.tournament.matches import MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState, apply_event, next_player_id
from tests.support.typed_tournament import fold

SETTINGS = TournamentSettings("Evening", "duo", 3)
ONE = RoundDrawn(1, (DrawnGroup(("P1", "P2"), 1), DrawnGroup(("P3", "P4"), 2), DrawnGroup(("P5",))))
BEGUN = (SettingsChosen(SETTINGS), *(PlayerEntered(f"P{one}") for one in range(1, 6)))
PUBLISHED = (*BEGUN, ONE, RoundPublished(1))
SIX_FOUR = MatchOutcome.by_scores((-6, -4))
NIL = MatchOutcome.by_scores((3, 3))


def reported(outcome: MatchOutcome) -> ResultReported:
    return ResultReported("1-01", outcome, "game", 1)


def refused(state: TournamentState, event: TournamentEvent) -> str:
    with pytest.raises(TournamentError) as caught:
        apply_event(state, event)
    assert str(caught.value).strip()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_nothing_happens_before_the_settings_are_chosen() -> None:
    assert "settings" in refused(TournamentState(), PlayerEntered("P1"))


def test_a_report_that_comes_three_times_counts_once() -> None:
    state = fold((*PUBLISHED, reported(SIX_FOUR)))
    assert fold([reported(SIX_FOUR)] * 3, state) is state
    assert [one.outcome for one in state.match("1-01").reports] == [SIX_FOUR]
    assert state.match("1-01").outcome == SIX_FOUR
    assert SIX_FOUR.places == (2, 1)


def test_reports_that_differ_are_shown_and_none_counts() -> None:
    match = fold((*PUBLISHED, reported(SIX_FOUR), reported(NIL))).match("1-01")
    assert match.state is MatchState.CONFLICTING
    assert match.outcome is None
    assert [one.outcome for one in match.reports] == [SIX_FOUR, NIL]


def test_an_organiser_decides_between_reports() -> None:
    events = (*PUBLISHED, reported(SIX_FOUR), reported(NIL), MatchResultConfirmed("1-01", "2"))
    assert fold(events).match("1-01").outcome == NIL


def test_a_disputed_result_does_not_count_until_the_player_confirms_it() -> None:
    state = fold((*PUBLISHED, reported(SIX_FOUR), MatchResultDisputed("1-01", "1", "P1", "no")))
    assert state.match("1-01").state is MatchState.DISPUTED
    assert state.match("1-01").outcome is None
    state = fold([MatchResultConfirmed("1-01", "1", one) for one in ("P1", "P2")], state)
    assert state.match("1-01").state is MatchState.DONE


def test_a_player_may_dispute_what_all_confirmed_until_the_round_is_locked() -> None:
    done = [MatchResultConfirmed("1-01", "1", one) for one in ("P1", "P2")]
    other = ResultReported("1-02", NIL)
    state = fold((*PUBLISHED, reported(SIX_FOUR), *done, other))
    dispute = MatchResultDisputed("1-01", "1", "P2", "no")
    assert apply_event(state, dispute).match("1-01").state is MatchState.DISPUTED
    locked = fold((RoundLocked(1), dispute), state)
    assert locked.match("1-01").outcome == SIX_FOUR
    ruled = fold((MatchResultConfirmed("1-01", "1"), dispute), state)
    assert ruled.match("1-01").outcome == SIX_FOUR


def test_a_ruling_is_changed_by_a_correction_with_its_reason_alone() -> None:
    done = [MatchResultConfirmed("1-01", "1", one) for one in ("P1", "P2")]
    state = fold((*PUBLISHED, reported(SIX_FOUR), *done, reported(NIL)))
    assert "reason" in refused(state, MatchResultConfirmed("1-01", "2"))
    again = apply_event(state, MatchResultConfirmed("1-01", "1"))
    assert not again.match("1-01").is_contradicted
    assert apply_event(state, ResultCorrected("1-01", NIL, "seen")).match("1-01").outcome == NIL


def test_a_report_after_the_ruling_is_shown_and_changes_nothing() -> None:
    done = [MatchResultConfirmed("1-01", "1", one) for one in ("P1", "P2")]
    match = fold((*PUBLISHED, reported(SIX_FOUR), *done, reported(NIL))).match("1-01")
    assert match.outcome == SIX_FOUR
    assert match.is_contradicted


def test_a_correction_needs_a_reason_and_keeps_it() -> None:
    state = fold((*PUBLISHED, reported(SIX_FOUR)))
    assert "reason" in refused(state, ResultCorrected("1-01", NIL))
    ruling = (
        apply_event(state, ResultCorrected("1-01", NIL, "scores exchanged")).match("1-01").ruling
    )
    assert ruling is not None
    assert (ruling.reason, ruling.is_correction) == ("scores exchanged", True)


def test_the_first_result_that_is_typed_needs_no_reason() -> None:
    match = fold((*PUBLISHED, ResultCorrected("1-01", NIL))).match("1-01")
    assert match.ruling is not None
    assert not match.ruling.is_correction


def test_who_does_not_come_forfeits() -> None:
    match = fold((*PUBLISHED, MatchForfeited("1-01", ("P1",), "ill"))).match("1-01")
    assert match.outcome is not None
    assert match.outcome.places == (2, 1)
    both = fold((*PUBLISHED, MatchForfeited("1-01", ("P2", "P1")))).match("1-01")
    assert both.ruling is not None
    assert both.ruling.absent == ("P1", "P2")


def test_a_round_is_locked_once_all_its_matches_have_a_result() -> None:
    state = fold(PUBLISHED)
    assert "1-01, 1-02" in refused(state, RoundLocked(1))
    results = [ResultReported(f"1-0{one}", SIX_FOUR) for one in (1, 2)]
    state = fold((*results, RoundLocked(1)), state)
    late = apply_event(state, ResultReported("1-01", NIL, "late", 1))
    assert late.match("1-01").outcome == SIX_FOUR
    assert late.match("1-01").is_contradicted
    assert "locked" in refused(state, PlayersSwapped(1, "P1", "P3"))
    assert "locked" in refused(state, MatchMoved("1-01", 3))


def test_the_next_round_waits_for_the_lock() -> None:
    assert "lock" in refused(fold(PUBLISHED), RoundDrawn(2, (DrawnGroup(("P1", "P3"), 1),)))


def test_a_published_round_is_not_drawn_anew() -> None:
    assert "published" in refused(fold(PUBLISHED), ONE)
    assert "published" in refused(fold(PUBLISHED), RoundDiscarded(1))


@pytest.mark.parametrize(
    "event",
    [
        RoundPublished(2),
        RoundDrawn(3, ()),
        PlayerWithdrew("P9"),
        PlayerEntered("P1"),
        PlayerEntered("Anna Kern"),
        PlayerRemoved("P1"),
        PlayersSwapped(1, "P1", "P9"),
        PlayersSwapped(1, "P1", "P1"),
        ResultReported("2-01", SIX_FOUR),
        ResultReported("1-bye-P5", SIX_FOUR),
        ResultReported("1-01", MatchOutcome.by_scores((1, 2, 3))),
        MatchResultConfirmed("1-01", "1", "P1"),
        MatchResultDisputed("1-01", "1", "P3"),
        MatchForfeited("1-01", ("P3",)),
        MatchForfeited("1-01", ()),
        MatchMoved("1-bye-P5", 2),
        MatchMoved("1-01", 1000),
    ],
)
def test_an_event_that_cannot_be_is_refused_with_one_sentence(event: TournamentEvent) -> None:
    refused(fold(PUBLISHED), event)


@pytest.mark.parametrize(
    "groups",
    [
        (),
        (DrawnGroup(("P1", "P2", "P3"), 1),),
        (DrawnGroup(("P1", "P2"), 1), DrawnGroup(("P2", "P3"), 2)),
        (DrawnGroup(("P1", "P2"), 1), DrawnGroup(("P3", "P4"), 1)),
        (DrawnGroup(("P1", "P1"), 1),),
        (DrawnGroup(("P1", "P8"), 1),),
        (DrawnGroup((), 1),),
    ],
)
def test_a_round_that_cannot_be_is_refused(groups: tuple[DrawnGroup, ...]) -> None:
    refused(fold(BEGUN), RoundDrawn(1, groups))


def test_swapped_players_exchange_their_places_and_a_bye_is_a_place() -> None:
    state = fold((*PUBLISHED, PlayersSwapped(1, "P2", "P5"), PlayersSwapped(1, "P1", "P5")))
    assert [match.players for match in state.round(1).matches] == [
        ("P5", "P1"),
        ("P3", "P4"),
        ("P2",),
    ]
    assert state.round(1).matches[2].id == "1-bye-P2"


def test_a_player_with_a_result_is_not_swapped() -> None:
    refused(fold((*PUBLISHED, reported(NIL))), PlayersSwapped(1, "P1", "P3"))


def test_a_match_that_is_moved_gives_its_table_to_the_other() -> None:
    state = fold((*PUBLISHED, MatchMoved("1-01", 2)))
    assert [(match.id, match.table) for match in state.round(1).matches[:2]] == [
        ("1-01", 2),
        ("1-02", 1),
    ]


def test_whoever_enters_or_leaves_before_publication_counts_in_a_new_draw() -> None:
    state = fold((*BEGUN, ONE, PlayerEntered("P6"), PlayerWithdrew("P5")))
    assert state.active(1) == ("P1", "P2", "P3", "P4", "P6")
    state = fold((RoundPublished(1), PlayerEntered("P7"), PlayerReturned("P5")), state)
    assert state.player("P7").from_round == 2
    assert state.active(2) == ("P1", "P2", "P3", "P4", "P5", "P6", "P7")


def test_no_id_is_given_twice() -> None:
    state = fold((*BEGUN, PlayerRemoved("P5")))
    assert next_player_id(state) == "P6"
    refused(state, PlayerEntered("P5"))


def test_each_change_of_a_round_has_a_revision_of_its_own() -> None:
    state = fold((*BEGUN, ONE))
    assert state.revision(1) == 1
    state = fold((RoundDiscarded(1), ONE, RoundPublished(1)), state)
    assert state.revision(1) == 4


def test_the_game_stays_once_a_round_is_drawn() -> None:
    state = fold(PUBLISHED)
    other = TournamentSettings("Evening", "classic", 3)
    assert "stay" in refused(state, SettingsChosen(other))
    more = apply_event(state, SettingsChosen(TournamentSettings("Evening", "duo", 5)))
    assert more.agreed.rounds == 5


@pytest.mark.parametrize("values", [("chess", 3), ("duo", 0), ("duo", 100)])
def test_settings_that_contradict_each_other_are_refused(values: tuple[str, int]) -> None:
    with pytest.raises(TournamentError):
        TournamentSettings("Evening", *values)
