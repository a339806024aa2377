"""Cameras, one driver a file, each with a thread that keeps its newest picture.

interfaces       pictures of a camera, turned as people see them; the protocol of drivers
mounting         cameras above a board: fields of view, height, mast, pixels a square
stored_exposure  the exposure of a camera, locked, kept and dropped
distinct_frames  frames of pictures: upright, counted, none twice
threaded_camera  a camera that a thread reads, and its newest picture
usb              a webcam, by OpenCV
raspberry_pi     a camera of the Raspberry Pi, by picamera2
network_address  addresses of cameras in a network, and their names without passwords
network_faults   faults of cameras in a network, one sentence each
http_client      requests with redirections and passwords
jpeg_stream      the JPEGs in bytes that arrive in pieces
http_camera      a camera over http: a stream of JPEGs, or one picture for each request
phone            the camera of a phone, whose browser sends pictures to the page
rtsp             a camera in a network that speaks RTSP, by PyAV
playback         a recording at its own pace
sources          the driver for the source that a person named
open_camera      a camera that is looked at for a moment, by a verb
live_camera      newest picture of a driver, which a thread opens again when it failed
"""
