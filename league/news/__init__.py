"""News: messages by e-mail, Web Push, Telegram and webhook."""
