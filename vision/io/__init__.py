"""Pictures, videos and recordings: read within bounds, and drawn over.

The layers, each knowing only those above it:

    limits           limits for the code that decodes files from outside
    heic             HEIC pictures, as iPhones take them
    image_header     the size of a picture and the memory it takes, from its file
    image_file       a picture in a file, and pictures as files
    recording_notes  times, lit squares and turns beside the pictures of a recording
    recorded         cameras that play a folder or a video
    overlay          a reading drawn over its picture
"""
