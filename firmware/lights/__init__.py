"""Lights of a table: from the state of a game to the bytes of an LED strip.

The layers, each of which imports only those above it:

    led_layout        the square above each LED
    power_budget      brightness: gamma, night, the limit of the supply
    flash_limiter     at most three changes a second
    led_exposure      squares that may be lit in a frame, and frames that were dark
    blink_pattern     blink patterns of a light
    digit_font        symbols of numbers, drawn with few lights
    scene             from the state of a game to a few lit squares
    light_test        pictures by which a person sees faults of the wiring
    delay_probe       measures how long frames lag behind the lights
    layout_probe      lights LEDs in turn and finds the layout through the camera
    led_display       writes scenes to a strip
"""
