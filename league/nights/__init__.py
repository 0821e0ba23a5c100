"""Club nights: check-in, draws, results, waitlists, schedules."""
