"""Long trials of what must never fail, and samples of them for the suite."""
