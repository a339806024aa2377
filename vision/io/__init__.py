"""Pictures, videos and recordings: read within bounds, and drawn over.

The layers, each knowing only those above it:

    jpeg             JPEG encoding of pictures
    png              PNG encoding of pictures
    bounded_file     files from outside, read up to a length
    decoder_limits   limits around code that decodes a file from outside
    heic             HEIC pictures, as iPhones take them
    image_header     the size of a picture and the memory it takes, from its file
    image_file       a picture in a file
    recording_notes  times, lit squares and turns beside the pictures of a recording
    recorded         cameras that play a folder or a video
    overlay          a reading drawn over its picture
"""
