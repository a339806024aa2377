"""Squares and pixels: grids, lenses, size and quality of a picture.

The layers, each knowing only those above it:

    lens           the bend of lines by a camera
    grid           the places of squares in a picture, and their correction to lines seen
    calibration    a camera's lens and the corners, measured once
    image_scale    a picture at another size
    image_quality  sharpness, light, noise, colours and flicker of pictures
"""
