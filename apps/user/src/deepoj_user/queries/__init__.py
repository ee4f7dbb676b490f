"""What it can be asked. `ports.py` is what the questions need from outside."""
