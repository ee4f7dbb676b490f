"""What the service can be told to do: one use case a file. `ports.py` is what they need from outside."""
