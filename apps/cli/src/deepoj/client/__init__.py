"""A person's side of the HTTP API: where the server is, who they are, what it answers."""
