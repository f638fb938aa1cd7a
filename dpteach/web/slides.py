"""A lecture cut into slides, as its notebook's metadata says; and what only the lecturer sees of each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from nbconvert.filters.markdown import markdown2html_mistune
from nbformat import NotebookNode

from ..questions import texts
from ..questions.kinds import Choice, Number
from ..questions.wording import as_plain
from ..teaching.kinds import Plan
from ..teaching.short import HEADING, PART
from .cells import NOT_SHOWN, NOTES, Part

NEW = ("slide", "subslide")
ALONE = ("question", "explorer")  # what fills a slide by itself
OPENING, ENDING = "Opening", "Ending"


@dataclass
class Block:
    """A cell on a slide; a step is shown at a further click."""

    cell: int
    part: Part
    step: bool = False


@dataclass
class Slide:
    """What is seen at once: cells of one part of the lecture."""

    part: int  # 0 is the opening, the last one the ending
    heading: str
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """What is on it, if that is one thing that fills it."""
        return self.blocks[0].part.kind if self.blocks else "plain"

    @property
    def asks(self) -> str:
        """The question that it asks."""
        return self.blocks[0].part.name if self.kind == "question" else ""

    @property
    def after(self) -> str:
        """The question that must be answered before it is shown."""
        return next((block.part.after for block in self.blocks if block.part.after), "")


def slides_of(notebook: NotebookNode, parts: list[Part]) -> list[Slide]:
    """Cut a notebook: at its slides and subslides, and so that questions and explorers have a slide of their own."""
    made: list[Slide] = []
    number, heading, title = 0, "", ""
    for index, (cell, part) in enumerate(zip(notebook.cells, parts, strict=True)):
        if part.slide == NOTES and made:
            made[-1].notes.append(cell.source)
        if part.slide in NOT_SHOWN:
            continue
        words = cell.source if cell.cell_type == "markdown" else ""
        number = part_number(words, number)
        title = heading_of(words) if words.startswith("## ") else title
        heading = heading_of(words) or (title if part.kind == "question" else heading)  # a question begins anew
        alone = part.kind in ALONE or (made and made[-1].kind in ALONE)
        new = not made or part.slide in NEW or alone
        if new:
            made.append(Slide(number, heading))
        made[-1].blocks.append(Block(index, part, step=part.slide == "fragment" and not new))
    return [slide for slide in made if not only_heading(slide, notebook)]


def only_heading(slide: Slide, notebook: NotebookNode) -> bool:
    """Say whether nothing but a heading is on a slide, which stands over the next ones anyway."""
    words = [notebook.cells[block.cell].source.strip() for block in slide.blocks]
    return len(words) == 1 and words[0].startswith("#") and "\n" not in words[0]


def part_number(words: str, now: int) -> int:
    """Return the part that a text belongs to: the next one at a heading of the second rank."""
    if found := PART.match(words):
        return int(found["number"])
    return now + 1 if words.startswith("## ") and now == 5 else now


def heading_of(words: str) -> str:
    """Return the heading of a text, empty if there is none."""
    found = HEADING.match(words)
    return found["title"] if found else ""


# ------------------------------------------------------------------------------------------------ for the lecturer


def parts_of(slides: list[Slide], plan: Plan | None) -> list[dict[str, Any]]:
    """Return the parts of a lecture: name, and how many minutes are planned."""
    minutes = [0, *(part.minutes for part in plan.parts), plan.ending[0]] if plan else []
    names: dict[int, str] = {}
    for slide in slides:
        title = as_plain(re.sub(r"^\d\. ", "", slide.heading))
        names.setdefault(slide.part, {0: OPENING, 6: ENDING}.get(slide.part, title))
    return [dict(number=n, name=name, minutes=minutes[n] if n < len(minutes) else 0) for n, name in names.items()]


def told_to_lecturer(slide: Slide, plan: Plan | None) -> str:
    """Return the notes of a slide as HTML: the notebook's, the question's mistakes, the proof's steps."""
    words = [
        *slide.notes,
        *about_question(slide.asks, plan),
        *about_answer(slide.after, plan),
        *about_proof(slide, plan),
        *about_explorer(slide, plan),
    ]
    return markdown2html_mistune("\n\n".join(words)) if words else ""


def about_question(name: str, plan: Plan | None) -> list[str]:
    """Say what people get wrong, what each answer shows, and what to say then."""
    if not name:
        return []
    text = texts()[name]
    said = [f"**Expected mistake** ({text.minutes} min): {text.mistake}", f"**Answer:** {text.solution}"]
    said += [answers(text), f"**Why:** {text.why}"]
    return [*said, *then(name, plan)]


def about_answer(name: str, plan: Plan | None) -> list[str]:
    """Return what is told with the picture that a question has waited for."""
    return [f"**Answer to {name}:** {texts()[name].solution}. {texts()[name].why}", *then(name, plan)] if name else []


def then(name: str, plan: Plan | None) -> list[str]:
    """Return what to say after the vote."""
    return [f"**Say then:** {plan.say[name]}"] if plan and name in plan.say else []


def answers(text: Choice | Number) -> str:
    """List what the wrong answers show."""
    if isinstance(text, Choice):
        wrong = [(str(n), option.response) for n, option in enumerate(text.options, 1) if not option.right]
    else:
        wrong = [(f"{slip.value:g}", slip.response) for slip in text.slips]
    return "\n".join(f"- **{given}:** {response}" for given, response in wrong)


def about_proof(slide: Slide, plan: Plan | None) -> list[str]:
    """Return the steps for the board."""
    proofs = [proof for part in plan.parts for proof in part.proofs] if plan else []
    steps = [step for proof in proofs if proof.slide == slide.heading for step in proof.steps]
    is_words = slide.kind == "plain"
    return ["**At the board:**\n\n" + "\n".join(f"{n}. {step}" for n, step in enumerate(steps, 1))] * bool(
        steps and is_words
    )


def about_explorer(slide: Slide, plan: Plan | None) -> list[str]:
    """Return what to ask of an explorer."""
    name = slide.blocks[0].part.name if slide.kind == "explorer" else ""
    return [f"**Ask:** {plan.explorers[name]}"] if plan and name in plan.explorers else []
