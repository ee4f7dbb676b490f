"""The judge cache."""
