"""Live updates of tables: streams for pages and programs, in front of Django's application."""
