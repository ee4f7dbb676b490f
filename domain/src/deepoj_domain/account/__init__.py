"""Accounts: who somebody is, what they may do, and the captchas that prove an address."""
