"""Files in and out: CSV, archives, imports."""
