"""The nightly check that standings, money and games follow from what was entered."""
