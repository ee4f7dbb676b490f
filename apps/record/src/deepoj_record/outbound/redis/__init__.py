"""The streams record writes to and looks into."""
