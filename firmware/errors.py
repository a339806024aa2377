"""What the program raises, as one tree; everything else that goes wrong at a table is data.

    Exception
    └── CornerlightError        one sentence naming cause and remedy, shown as it stands
        ├── SettingsError       (also ValueError)  a setting that cannot be used
        └── UnreadableError     (also OSError)     a file that cannot be read or written

The rules, a library of their own, raise `firmware.rules.errors.RulesError`, a ValueError.
"""


class CornerlightError(Exception):
    """Root of what the program raises."""


class SettingsError(CornerlightError, ValueError):
    """A setting that cannot be used: unknown, of the wrong kind, or out of bounds."""


class UnreadableError(CornerlightError, OSError):
    """A file that cannot be read or written."""
