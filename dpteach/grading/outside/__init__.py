"""Outside the wall: what runs in the grader's own processes, where no student's code ever is.

Reading an assignment (`assignment`) and what was handed in (`submissions`), the walls around a student's process
(`sandbox`) and the grader's end of the line to it (`remote`), marking one submission (`marking`) and many (`workers`),
the gradebook (`course`), what is written (`pages`), the command (`command`) and a race with nbgrader (`race`). Hidden
checks and expected values are in this room only. From inside it takes nothing but the way in.
"""
