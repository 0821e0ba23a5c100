"""Everything that changes a table's or a run's data: one transaction each."""
