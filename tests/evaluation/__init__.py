"""Long trials, and samples of them for the suite."""
