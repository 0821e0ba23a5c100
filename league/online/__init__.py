"""Nights and stakes tables played in the browser, and what comes in from them."""
