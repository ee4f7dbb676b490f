"""Owns accounts, tokens and captchas."""
