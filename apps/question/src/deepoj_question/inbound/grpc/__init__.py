"""The question service over gRPC."""
