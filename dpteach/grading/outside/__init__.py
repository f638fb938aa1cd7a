"""Outside the wall: what runs in the grader's own processes, where no student's code ever is.

Reading an assignment (`assignment`) and what was handed in (`submissions`, `naming`, `reading`, `matching`,
`repair`), making plain what students wrote (`harmless`), the walls around a student's process (`sandbox`) and the
grader's end of the line to it (`remote`), marking one submission (`marking`) and many (`workers`), the course and its
gradebook (`course`, `gradebook`), what is written (`outputs`, `pages`, `exporter`), the command (`command`),
nbgrader's Formgrader made safe (`formgrader`) and a race with nbgrader (`race`). Hidden checks and expected values
are in this room only. From inside it takes nothing but the way in.
"""
