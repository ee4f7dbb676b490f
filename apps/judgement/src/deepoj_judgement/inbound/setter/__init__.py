"""The one-shot roles that `deepoj judge`, `deepoj verify` and `deepoj languages` start."""
