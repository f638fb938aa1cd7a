"""The course behind one link: a folder of static pages on which everything works, with Python in the browser."""
