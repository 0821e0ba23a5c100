"""Pages of tables where people play."""
