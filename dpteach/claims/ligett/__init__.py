"""The claims of Ligett, Peale and Reingold on bounded-leakage differential privacy."""
