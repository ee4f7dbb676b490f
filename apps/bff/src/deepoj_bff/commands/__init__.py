"""Use cases that decide something here, through ports that outbound implements."""
