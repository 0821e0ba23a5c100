"""Imports and exports of files: CSV, workbooks and archives."""
