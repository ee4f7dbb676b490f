"""What other services said lately."""
