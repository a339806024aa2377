"""Cameras, one driver a file, and the thread that keeps their newest picture.

interfaces     pictures of a camera, the protocol of drivers, and their faults
usb            a webcam, by OpenCV
raspberry_pi   a camera of the Raspberry Pi, by picamera2
playback       a recording at its own pace
sources        the driver for the source that a person named
live_camera    newest picture of a driver in a thread; opens it again when it failed
"""
