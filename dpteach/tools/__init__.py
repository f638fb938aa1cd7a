"""Tools of the terminal: benchmarks, the doctor, running and checking notebooks."""
