"""Calibrates the levels of the player by games of each against its neighbours.

    python -m tests.evaluation levels --to FOLDER
    python -m tests.evaluation levels --to FOLDER --pairs 1-2,2-3 --games 60
    python -m tests.evaluation levels --to FOLDER --pairs p1-5,p4-7 --pentobi pentobi-gtp

Level 0 lays a random one of the largest pieces; p4 is level 4 of Pentobi. A pair plays each of its
openings twice, with swapped sides. Every game becomes a line of a file in the folder and a stopped
calibration continues from there; games with other parameters or networks than those of today do
not count. The modules:

    games     the players, and games between two of them
    ladder    scores and the scale of Elo, with intervals
    stored    the files of the games
    openings  share of games that differ by ply 6
    command   options, progress and the report
"""

from tests.evaluation.levels.command import main

__all__ = ["main"]
