"""Bot tournaments of a club: runs, their pages, replays and game records."""
