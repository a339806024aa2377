"""Exceptions of the rules: misuse, and text that cannot be read.

    ValueError
    └── RulesError          the root: one sentence naming cause and remedy
        ├── NotationError   a square, move or position that cannot be read
        ├── IllegalMoveError  a move played that the position does not allow
        └── RecordError     a game record that cannot be read, with line and column

An illegal piece on the table is not an exception but data: see `violations`.
"""


class RulesError(ValueError):
    """Root of the exceptions of the rules."""


class NotationError(RulesError):
    """A square, move or position in text that cannot be read."""


class IllegalMoveError(RulesError):
    """A move played that the position does not allow."""


class RecordError(RulesError):
    """A game record that cannot be read.

    Attributes:
        line: line of the fault, counted from 1.
        column: column of the fault in characters, counted from 1.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column
