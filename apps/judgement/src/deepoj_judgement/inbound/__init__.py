"""What reaches this service: jobs on streams, calls over gRPC."""
