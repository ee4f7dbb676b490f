"""The language of VIVA, by its user's guide. Integers in constraints do not overflow as the tool's do."""
