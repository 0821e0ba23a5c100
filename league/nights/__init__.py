"""Club nights: check-in, draws, results, queues."""
