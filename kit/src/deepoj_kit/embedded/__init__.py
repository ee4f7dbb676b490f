"""Real PostgreSQL, Valkey and S3 servers as child processes, for one machine and for tests."""
