"""Games: contests with a schedule, participants, a format, and rules on who sees what when."""
