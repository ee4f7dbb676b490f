"""Jobs from the queue: claimed, judged under a lease, settled."""
