"""Inside the wall: what runs in a student's process.

The way in (`entry`, with what only Linux offers in `linux`), the small kernel that runs cells (`kernel`), the answers
to questions about what they defined (`answers`), a note of what these called (`calls`) and a watch over what cells
exchanged (`watch`). Student code shares this process and may change all of it, so the grader believes nothing that is
said in here: it counts plain values only.
This room imports from the line, never from outside.
"""
