"""The composition roots, one for each kind of process: the only place that constructs."""
