"""A worker judges known solutions, and holds back when they come out wrong or slow."""
