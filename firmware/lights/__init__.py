"""From what is to be said to the bytes of an LED strip, and back to what a frame may show of it.

The layers, each knowing only those above it:

    layout     which square is above each LED
    finding    the layout found by itself, through the camera
    levels     how bright: gamma, night, the limit of the supply
    pace       at most three changes a second, whatever the reason
    afterglow  which squares may have glowed in a frame, and which frames were dark
    lights     the whole: a scene in, bytes out
"""
