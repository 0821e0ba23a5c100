"""Everything that changes a club's data: one transaction each, called through its module."""
