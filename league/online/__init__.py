"""Nights and stakes tables played in the browser, and the recording of their games."""
