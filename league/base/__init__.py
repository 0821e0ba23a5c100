"""The base of all packages of the league: rights, locks, names, texts, views, API."""
