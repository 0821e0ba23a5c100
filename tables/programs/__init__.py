"""Bots from the administrator's file: classes next to the file, and external programs.

Only the administrator can write the file: no page, form or API does.
"""
