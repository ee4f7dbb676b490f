"""The service: takes jobs from the queue and serves calls."""
