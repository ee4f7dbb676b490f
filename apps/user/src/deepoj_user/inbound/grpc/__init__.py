"""The service over gRPC."""
