"""Games in bulk: designs of tournaments, simulations and benchmarks."""
