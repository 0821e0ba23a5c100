"""Changes to tables, one transaction each."""
