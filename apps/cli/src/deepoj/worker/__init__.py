"""A judge worker on a host of its own: how it is set up and run."""
