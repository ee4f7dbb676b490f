"""Technical plumbing without a business word: outbox, streams, gRPC, PostgreSQL, objects, telemetry."""
