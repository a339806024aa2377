"""One module for each verb of the command line, imported when it is called."""
