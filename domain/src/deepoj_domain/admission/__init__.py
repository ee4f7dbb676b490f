"""May this submission come in now? Decided in one place, each refusal with a reason."""
