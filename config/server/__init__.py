"""The page of the server's administrator, and what a bug report needs."""
