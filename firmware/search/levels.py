"""How much thinking each level is, as simulations a move."""

from typing import Final

LEVELS: Final = {1: 3, 2: 12, 3: 50, 4: 200, 5: 800, 6: 3_000, 7: 12_000, 8: 50_000, 9: 200_000}
"""Simulations a move of each level: about four times those of the level below."""
