"""The nightly check that standings, money and games follow from results and logs."""
