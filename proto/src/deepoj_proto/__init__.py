"""The gRPC contract between the services, and the code generated from it."""
