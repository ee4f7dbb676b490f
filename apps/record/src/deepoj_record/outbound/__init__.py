"""What record calls: its database, the queue, other services."""
