"""Inside the wall: what runs in a student's process.

The way in (`entry`, with what only Linux offers in `linux`), the process from which students' processes branch off
(`stem`), the small kernel that runs cells (`kernel`), the answers to questions about what they defined (`answers`) and a
watch over what they exchanged (`watch`). Student code shares this process, all but the stem, and may change all of it, so
the grader believes nothing that is said in here: it counts plain values only.
This room imports from the line, never from outside.
"""
