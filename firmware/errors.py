"""What the program raises, as one tree; everything else that goes wrong at a table is data.

    Exception
    └── CornerlightError        one sentence naming cause and remedy, shown as it stands
        ├── SettingsError       (also ValueError)  a setting that cannot be used
        ├── UnreadableError     (also OSError)     a file that cannot be read or written
        └── PlayerError         there is no player here, or its process has ended

Parts that import nothing of ours have roots of their own, which the command line shows alike:
`firmware.rules.errors.RulesError` (a ValueError), `firmware.drivers.interfaces.DeviceError` (an
OSError) and `vision.errors.VisionError`. The border to the page has `web.contract.ContractError`.
"""


class CornerlightError(Exception):
    """Root of what the program raises."""


class SettingsError(CornerlightError, ValueError):
    """A setting that cannot be used: unknown, of the wrong kind, or out of bounds."""


class UnreadableError(CornerlightError, OSError):
    """A file that cannot be read or written."""


class PlayerError(CornerlightError):
    """There is no player on this machine, or its process has ended."""
