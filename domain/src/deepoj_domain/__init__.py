"""Pure domain model of Deep-OJ: aggregates, value objects, events and policies."""
