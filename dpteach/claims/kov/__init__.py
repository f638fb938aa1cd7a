"""The claims of Kairouz, Oh and Viswanath, The Composition Theorem for Differential Privacy."""
