"""What every aggregate is made of: ids, times, outcomes, events, exact scores."""
