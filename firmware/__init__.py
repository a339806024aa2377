"""The program: rules, referee, table, lights and journal of Cornerlight.

codes       words that table, page, journal and settings have in common
codec       dataclasses to JSON and back by their annotations
errors      the tree of exceptions that the program raises, what their texts hide and advise
settings    the settings of a table, read from TOML
rules       the rules of the Blokus family
game        events, the state they add up to, and what was agreed for a game
records     games as Blokus SGF, written, read and replayed
referee     from readings and the rules to events
drivers     hardware, one file a chip or bus, and the interfaces to it
machine     facts of the computer that the program runs on
cameras     cameras, and the thread that keeps their newest picture
lights      from the state of a game to the bytes of an LED strip
simulator   a table without wires, and people who play at it
storage     everything that is written to disk and read again
player      hints, an opponent, reviews, solutions of puzzles; can be taken out
printing    sheets for the table, as PDF to scale
hall        many tables: their broker and link, the tournament, the organiser
session     the loop of a table and all that takes part in it
assembly    the composition root
commands    the command line, one module a verb
"""

from typing import Final

__version__: Final = "0.1.0"
