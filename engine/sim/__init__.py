"""Many games: designs of tournaments, simulations and benchmarks."""
