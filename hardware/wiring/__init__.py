"""The wiring of a table, computed from its settings, each knowing only those above it.

header        the 40 pins of a Raspberry Pi's header, and a ground for each signal
builds        LEDs, lengths and clamps of each build, which settings do not know
currents      currents of the LEDs, and rules for fuse, supply and cross-section
feeds         places along the chain where power enters
ratings       fuse, supply and wires of a build
harness       every connection of a table, from its settings
table_text    the connections as Markdown
canvas        groups with names in an SVG, drawn by schemdraw
sheet         a drawing on which every connection is drawn once
header_view   the header of the Raspberry Pi
button_view   the buttons beside it, and their wires
shifter_view  the level shifter, and its wires
joint_view    the wires between pieces of strip or panels
led_view      the LEDs, their data and the wires of their power
supply_view   the supply, its fuses and the clamps
drawing       the whole drawing
drawn         comparison of a stored drawing with the connections
stored        the files of a build: writes them, and names what is stale

`write(build_folder)` makes `wiring.md` and `wiring.svg` from `table.toml`, and `wiring-NAME.md` and
`wiring-NAME.svg` from `table-NAME.toml`, equal byte for byte each time.
`differences(build_folder)` returns a sentence for each place where settings and files disagree.
"""

from hardware.wiring.stored import differences, write

__all__ = ["differences", "write"]
