"""Write the teacher's guide: what the lectures, their questions and exercises say, and what only a teacher needs."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from nbformat import NotebookNode

from ..questions import texts
from ..questions.kinds import Choice, Number
from ..tools.lecture_rules import asked
from .exercises import Task, tasks
from .kinds import Part, Plan
from .paper import anchor
from .short import Section, explorers, lectures, left_out, read, sections
from .syllabus import opening

IDEA = re.compile(r"^\d\. (?P<words>.+)$", re.M)
TITLE = re.compile(r"^# (?P<words>.+)$", re.M)


def guide() -> str:
    """Return the whole guide as Markdown."""
    chapters = [chapter(path) for path in lectures()]
    contents = [f"- [{title}](#{anchor(title)})" for title in map(title_of, map(read, lectures()))]
    return "\n\n".join([opening(plans()), "## The lectures", "\n".join(contents), *chapters]) + "\n"


def plans() -> list[Plan]:
    """Return the plans of all lectures."""
    return [plan_of(path) for path in lectures()]


def plan_of(path: Path) -> Plan:
    """Return the plan of a lecture: the one of its number."""
    return importlib.import_module(f".lecture_{int(path.stem[:2])}", __package__).PLAN


def title_of(notebook: NotebookNode) -> str:
    """Return the heading of a lecture."""
    return TITLE.search(notebook.cells[0].source)["words"]


# ------------------------------------------------------------------------------------------------ a lecture


def chapter(path: Path) -> str:
    """Return what the guide says of one lecture."""
    plan, notebook = plan_of(path), read(path)
    cut = sections(notebook)
    parts = [
        f"## {title_of(notebook)}",
        f"[Lecture](../notebooks/{path.name}), [companion](../notebooks/{path.stem}_paper.ipynb), "
        f"[exercises](../exercises/release/{exercise_folder(path)}). {plan.before}",
        "### Five ideas",
        ideas(notebook),
        "### Minutes",
        timetable(plan, cut, notebook),
        f"### In {plan.minutes[1]} minutes",
        shorter(cut, notebook),
        "### At the board",
        *(board(section, part) for section, part in zip(cut[1:6], plan.parts, strict=True)),
        "### The questions",
        *(told(id, plan, cut) for _, id in asked(notebook)),
        "### The explorers",
        "\n".join(f"- `{name}`: {words}" for name, words in plan.explorers.items()),
        "### What students get wrong",
        mistakes(notebook, plan),
    ]
    return "\n\n".join(parts)


def exercise_folder(path: Path) -> str:
    """Return where the exercises of a lecture are."""
    name = f"{int(path.stem[:2])}{path.stem[2:]}"
    return f"{name}/{name}.ipynb"


def ideas(notebook: NotebookNode) -> str:
    """Return the five sentences with which the lecture ends."""
    (ending,) = [cell.source for cell in notebook.cells if re.match(r"## (In f|F)ive sentences", cell.source)]
    return "\n".join(f"{number}. {words}" for number, words in enumerate(IDEA.findall(ending), start=1))


def timetable(plan: Plan, cut: list[Section], notebook: NotebookNode) -> str:
    """Return a table of the parts: minutes, questions, explorers, exercises."""
    known, names = tasks(plan.lecture), explorers(notebook)
    rows = [
        f"| part | {plan.minutes[0]} min | {plan.minutes[1]} min | questions | explorers | exercises |",
        "|---" * 6 + "|",
    ]
    for section, part in zip(cut[1:6], plan.parts, strict=True):
        fitting = ", ".join(map(exercise, map(known.get, part.tasks)))
        rows.append(
            f"| {section.number}. {section.title} | {part.minutes} | {part.short} | {questions_in(section)} "
            f"| {', '.join(f'`{name}`' for name in shown_in(section, names))} | {fitting} |"
        )
    rows.append(f"| ending | {plan.ending[0]} | {plan.ending[1]} | {questions_in(cut[6])} | | |")
    return "\n".join([*rows, "", totals(known)])


def questions_in(section: Section) -> str:
    """List the questions of a section, with their minutes."""
    ids = ids_in(section)
    in_class = f" ({sum(texts()[id].minutes for id in ids)} min)" if ids else ""
    return ", ".join(ids) + in_class


def ids_in(section: Section) -> list[str]:
    """Return the numbers of the questions that a section asks."""
    return [id for _, id in asked(NotebookNode(cells=section.cells))]


def shown_in(section: Section, names: list[str]) -> list[str]:
    """Return the explorers that a section shows."""
    code = "\n".join(cell.source for cell in section.cells)
    return [name for name in names if f"{name}(" in code]


def exercise(task: Task) -> str:
    """Name an exercise with its points."""
    return f"{task.number} {task.title} ({task.points} p.)"


def totals(known: dict[int, Task]) -> str:
    """Say how many exercises there are, and what they take."""
    points, minutes = (sum(getattr(task, name) for task in known.values()) for name in ("points", "minutes"))
    home = "The self-check is for whatever time is left, and otherwise homework."
    return f"{home} All {len(known)} exercises have {points} points (p.) and take about {minutes} minutes."


def shorter(cut: list[Section], notebook: NotebookNode) -> str:
    """List what the short lecture leaves out, part by part."""
    names = explorers(notebook)
    lines = [(section, left_out(section, names)) for section in cut]
    name = lambda section: f"part {section.number}" if 0 < section.number < 6 else section.title.lower()  # noqa: E731
    listed = [f"- {name(section)}: {', '.join(words)}" for section, words in lines if words]
    head = "Leave out (the cells with the tag `long`; all others run by themselves from a fresh kernel):"
    return "\n".join([head, "", *listed])


def board(section: Section, part: Part) -> str:
    """Return the proofs of a part, in steps."""
    lines = []
    for proof in part.proofs:
        lines += [f"**{proof.slide}** (part {section.number})", ""]
        lines += [f"{number}. {step}" for number, step in enumerate(proof.steps, start=1)] + [""]
    return "\n".join(lines).rstrip()


def mistakes(notebook: NotebookNode, plan: Plan) -> str:
    """List what people get wrong: in the questions of the lecture, and otherwise."""
    in_class = [id for _, id in asked(notebook)]
    lines = [f"- {texts()[id].mistake} ({id})" for id in in_class]
    return "\n".join([*lines, *(f"- {words}" for words in plan.wrong)])


# ----------------------------------------------------------------------------------------------- a question


def told(id: str, plan: Plan, cut: list[Section]) -> str:
    """Return a question with what each answer shows, and what to say then."""
    text = texts()[id]
    where = "self-check" if text.in_self_check else f"part {next(s.number for s in cut if id in ids_in(s))}"
    answers = options(text) if isinstance(text, Choice) else numbers(text)
    say = [f"**Say then:** {plan.say[id]}"] if id in plan.say else []
    head = f"#### {id} ({where}, {text.minutes} min)"
    return "\n\n".join([head, text.text, answers, f"*Why:* {text.why}", *say])


def options(text: Choice) -> str:
    """List the options with what the choice of each shows; the right one is marked."""
    bold = lambda option: f"**{option.text}** ✓" if option.right else option.text  # noqa: E731
    return "\n".join(f"{n}. {bold(option)} — {option.response}" for n, option in enumerate(text.options, start=1))


def numbers(text: Number) -> str:
    """List the right number and the wrong ones that people arrive at."""
    lines = [f"- **{text.solution}** ✓ — {text.right}"]
    lines += [f"- {slip.value:g} — {slip.response}" for slip in text.slips]
    return "\n".join([*lines, f"- any other number — {text.otherwise}"])
