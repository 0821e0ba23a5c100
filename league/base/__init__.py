"""What every room of the league stands on: rights, locks, names, texts, the doors."""
