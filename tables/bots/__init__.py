"""House bots at tables, and members' own bots."""
