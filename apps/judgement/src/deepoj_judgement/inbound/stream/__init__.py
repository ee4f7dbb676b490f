"""Jobs from Redis Streams."""
