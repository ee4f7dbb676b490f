"""Thin, typed wrappers over the kernel: one mechanism a module, errors as OSError, no policy."""
