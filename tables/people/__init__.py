"""Players: newcomers, friends, ratings, half-hour tournaments."""
