"""The sandbox: its agent, and the one-shot command that stands in for it."""
