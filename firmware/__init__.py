"""The program: rules, referee, table, lights and journal of Cornerlight."""

from typing import Final

__version__: Final = "0.1.0"
