"""Thresholds of all parts of the referee."""

from dataclasses import dataclass, field
from typing import Annotated

from firmware.codes import Takeback, TurnEnd
from firmware.referee.board_visibility import VisibilitySettings
from firmware.referee.dark_frames import DarkSettings
from firmware.referee.placement_matching import MatchingSettings
from firmware.referee.static_occlusion import StaticOcclusionSettings
from firmware.referee.steadiness import SteadinessSettings
from firmware.referee.unexplained import UnexplainedSettings


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """Thresholds of the referee."""

    settling: SteadinessSettings = field(default_factory=SteadinessSettings)
    matching: MatchingSettings = field(default_factory=MatchingSettings)
    resting: StaticOcclusionSettings = field(default_factory=StaticOcclusionSettings)
    presence: VisibilitySettings = field(default_factory=VisibilitySettings)
    dark: DarkSettings = field(default_factory=DarkSettings)
    unexplained: UnexplainedSettings = field(default_factory=UnexplainedSettings)
    takeback: Annotated[Takeback, "until when an accepted piece may be lifted"] = (
        Takeback.UNTIL_NEXT_MOVE
    )
    turn_end: Annotated[TurnEnd, "what ends a turn: the steady board, or the player's button"] = (
        TurnEnd.ITSELF
    )
    doubt: Annotated[float, "log odds from which a doubtful change is reported"] = 0.7
    patience_s: Annotated[float, "seconds that a doubt lasts before it is reported"] = 0.5
    lead: Annotated[float, "log odds by which the best mapping of an occupied board leads"] = 10.0
