"""Fuse, supply and wires of a build, by its currents and lengths."""

from dataclasses import dataclass
from math import ceil

from firmware.lights.led_layout import LedLayout
from hardware.wiring.builds import Build
from hardware.wiring.currents import Stretch, fuse_for, section_for, supply_for
from hardware.wiring.feeds import Feed


@dataclass(frozen=True, slots=True)
class Ratings:
    """Parts that carry current.

    Attributes:
        milliamps: greatest current of the supply.
        supply_a: rating of the supply, in amperes.
        fuse_a: rating of the fuse of the LEDs.
        section_mm2: cross-section of the wires that carry their current.
        pi_fuse_a: rating of the fuse of the Raspberry Pi; 0 if it has its own supply.
        pi_section_mm2: cross-section of its wires.
        drop_v: greatest voltage lost between the supply and an LED or the Raspberry Pi.
    """

    milliamps: float
    supply_a: float
    fuse_a: float
    section_mm2: float
    pi_fuse_a: float
    pi_section_mm2: float
    drop_v: float


def feed_length(feed: Feed, layout: LedLayout, build: Build) -> int:
    """Length of a wire from the clamps, which are at the bottom left, to a feed, in millimetres."""
    steps = feed.column + layout.rows - 1 - feed.row
    return 10 * ceil((build.feed_mm + steps * build.pitch_mm) / 10)


def ratings_of(leds_ma: float, lengths_mm: list[int], build: Build) -> Ratings:
    """Returns what carries the current.

    All current may flow to one feed, because a frame may light LEDs at one end only.

    Args:
        leds_ma: greatest current of the LEDs.
        lengths_mm: lengths of the wires to the feeds.
        build: the build.

    Raises:
        SettingsError: no fuse, supply or wire is large enough.
    """
    total = leds_ma + build.pi_ma
    fuse = fuse_for(leds_ma)
    to_leds = Stretch(build.supply_mm + max(lengths_mm), leds_ma)
    section = section_for(fuse, to_leds)
    drop, pi_fuse, pi_section = to_leds.drop(section), 0.0, 0.0
    if build.pi_ma:
        to_pi = Stretch(build.pi_mm, build.pi_ma)
        pi_fuse = fuse_for(build.pi_ma)
        pi_section = section_for(pi_fuse, to_pi)
        drop = max(drop, to_pi.drop(pi_section))
    supply = supply_for(total, max(fuse, pi_fuse))
    return Ratings(total, supply, fuse, section, pi_fuse, pi_section, drop)
