"""What the judge found in finished games: made by workers, read by pages and programs."""
