"""Bots that the installation's owner brought: classes beside a file, and programs outside.

The file is the owner's alone: no page, no form and no API writes it.
"""
