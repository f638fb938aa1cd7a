"""The claims of Thomas Steinke's post "Composition"."""
