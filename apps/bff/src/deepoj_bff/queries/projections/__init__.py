"""What events have told this process: inbound/stream writes it, queries and event streams read it."""
