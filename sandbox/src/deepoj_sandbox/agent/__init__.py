"""The agent: one process that holds warm boxes and serves them over a unix socket."""
