"""The whole drawing of a table, from its connections."""

from hardware.wiring.button_view import draw_buttons
from hardware.wiring.canvas import LARGE, NORMAL
from hardware.wiring.harness import Harness
from hardware.wiring.header_view import draw_header
from hardware.wiring.led_view import draw_leds
from hardware.wiring.sheet import Sheet
from hardware.wiring.shifter_view import draw_shifter
from hardware.wiring.supply_view import draw_supply
from hardware.wiring.table_text import facts_of


def svg(harness: Harness) -> str:
    """Returns the drawing of a table as SVG, 1000 x 720 pixels, equal byte for byte each time."""
    sheet = Sheet(harness, f"{harness.build.title}: wiring")
    heading = f"{harness.build.title}: {harness.layout.length} LEDs, {len(harness.buttons)} buttons"
    sheet.canvas.group("heading").text(heading, (14, 26), LARGE)
    draw_header(sheet)
    draw_buttons(sheet)
    draw_supply(sheet)
    draw_leds(sheet, draw_shifter(sheet))
    figures = sheet.canvas.group("figures")
    for number, (name, value) in enumerate(facts_of(harness)):
        height = 418 + 22 * number
        figures.text(name, (656, height), NORMAL)
        figures.text(value, (928, height), NORMAL, "right")
    return sheet.text()
