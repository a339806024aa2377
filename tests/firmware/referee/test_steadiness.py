import numpy as np

from firmware.referee.steadiness import SteadinessTracker, combined, evidence_of
from tests.support.noisy_board import NoisyBoard


def test_a_covered_square_says_nothing_whatever_the_reader_guesses_of_it() -> None:
    reading = NoisyBoard().reading()
    reading.covered[7] = True
    evidence = evidence_of(reading, ("purple", "orange"))
    assert not evidence[7].any()
    assert evidence[8].any()


def test_colours_are_taken_by_name_whatever_their_order_in_the_palette() -> None:
    table = NoisyBoard(palette=("purple", "orange"))
    table.lay("purple", "a14")
    evidence = evidence_of(table.reading(), ("orange", "purple"))
    assert evidence[0].argmax() == 2


def test_a_square_counts_in_the_frames_that_saw_it() -> None:
    table = NoisyBoard()
    table.lay("purple", "a14")
    open_ = evidence_of(table.reading(), table.palette)
    table.covered = {0}
    hidden = evidence_of(table.reading(), table.palette)
    assert np.allclose(combined([open_, hidden]), open_)


def test_motion_between_two_clear_frames_starts_the_wait_again() -> None:
    settling = SteadinessTracker()
    evidence = evidence_of(NoisyBoard().reading(), ("purple", "orange"))
    assert settling.add(evidence, 0.0) is None
    assert settling.add(evidence, 0.1) is not None
    settling.moved()
    assert settling.add(evidence, 0.2) is None
    assert settling.add(evidence, 0.6) is not None


def test_a_frame_that_does_not_count_is_compared_with_those_that_do() -> None:
    settling = SteadinessTracker()
    empty, laid = np.array([[0.0, -5.0], [0.0, -5.0]]), np.array([[0.0, -5.0], [-5.0, 0.0]])
    assert not settling.differs(laid)
    settling.add(empty, 0.0)
    assert settling.differs(laid)
    assert not settling.differs(empty)
    assert not settling.differs(np.zeros((2, 2)))
