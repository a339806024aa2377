"""From what is to be said to the bytes of an LED strip, and back to what a frame may show of it.

The layers, each knowing only those above it:

    led_layout        the square above each LED
    layout_inference  the layout found from which squares glow
    power_budget      brightness: gamma, night, the limit of the supply
    flash_limiter     at most three changes a second, whatever the reason
    led_exposure      squares that may have glowed in a frame, and frames that were dark
    blink_pattern     rhythms of a light
    digit_font        numbers drawn with few lights
    scene             from the game to a few glowing squares
    layout_probe      lights LEDs in turn and finds the layout through the camera
    led_display       the whole: a scene in, bytes out
"""
