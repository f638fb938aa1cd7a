"""On the line: what both sides of the wall know.

Plain values, which may cross (`plain`); the words of checks (`language`), which a notebook asks at once and the grader
asks again; what a student's process may use (`limits`),
and how time and memory are counted (`clock`, `memory`). Nothing in here runs a student's code, and
nothing in here knows a hidden check.
"""
