"""The embedded stack: servers and services as supervised child processes."""
