"""What all explorers share: controls, canvas, view, clicks."""
