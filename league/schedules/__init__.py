"""Nights and bot tournaments created by a schedule."""
