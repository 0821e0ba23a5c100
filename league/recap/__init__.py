"""What a night or a season leaves to show: pictures and a page."""
