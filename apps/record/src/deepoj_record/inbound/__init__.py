"""Who calls record: other services over gRPC, and the clock."""
