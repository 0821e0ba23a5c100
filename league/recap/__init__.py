"""Recaps of nights and seasons: pages, pictures, certificates and feeds."""
