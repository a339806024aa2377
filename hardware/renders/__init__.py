"""Path-traced pictures of the builds, from the same shapes as their drawings.

framing  a camera that sees all of a drawing
tracer   tracing by Mitsuba, which only this module needs
files    the pictures of the builds
"""
