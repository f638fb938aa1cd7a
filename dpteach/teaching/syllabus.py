"""The first pages of the guide: how to use it, and three ways through the course."""

from __future__ import annotations

from .exercises import tasks
from .kinds import Plan

OPENING = """# Teaching with dpteach

<!-- written by `python -m dpteach guide` from the lectures, their questions and dpteach/teaching: edit those -->

A guide for whoever gives the lectures. For each of the five it has: the ideas, the minutes, what to leave out in
{short} minutes, the proofs in steps that are short enough for the board, every question with what each wrong answer
shows and what to say then, the exercises and explorers that fit, and what students get wrong. It holds all answers to
the questions of the lectures, but no solutions of exercises.

- **The evening before:** read the lecture once from top to bottom (`python3 start.py notebooks` opens it with all
  outputs), its chapter here with a pencil, and do the proofs once without looking.
- **A question:** show it, let everybody choose alone, count hands, let neighbours talk for a minute, count again,
  reveal. `question("1.3").count(before=[3, 10, 4, 1])` draws the hands, `question("1.3").reveal()` shows the answer. If
  nearly all are right at once, skip the discussion; the minutes below include it.
- **In {short} minutes:** `python -m dpteach guide --short my` writes the short lectures into the folder `my`.
- **A handout:** the [formula sheet](formulas.html) of the course, one page to print (`python -m dpteach formulas`).
- **Marks:** [exercises/README.md](../exercises/README.md).

## A syllabus

**One lecture.** The first page (`00_start_here`, 10 minutes) at home, then lecture 1 in {long} minutes; or lecture 2,
for a class that knows basic and advanced composition. The formula sheet is the handout.

**One week.** A lecture a day, {long} minutes, then exercises at home: one for each part, or all of them in {home}
minutes. Lectures 1 and 2 come first; 3, 4 and 5 do not need each other. Where a day has {short} minutes, use the short
lectures, and give the self-check as homework.

{week}

**A month.** A lecture a week in two meetings. First the lecture; then a seminar, in which students present sections of
the companion, one claim of the ledger each, and the class goes through the exercises. The last meeting is the ledger's:
everybody tries to refute a claim.

{month}"""


def opening(plans: list[Plan]) -> str:
    """Return everything that comes before the lectures."""
    long, short = plans[0].minutes
    home = [sum(task.minutes for task in tasks(plan.lecture).values()) for plan in plans]
    return OPENING.format(
        long=long, short=short, home=f"{min(home)} to {max(home)}", week=week(plans), month=month(plans)
    )


def week(plans: list[Plan]) -> str:
    """Return a table of five days."""
    rows = ["| day | lecture | exercises for the next day |", "|---|---|---|"]
    return "\n".join([*rows, *(f"| {plan.lecture} | {plan.lecture} | {chosen(plan)} |" for plan in plans)])


def month(plans: list[Plan]) -> str:
    """Return a table of ten meetings; exercises of a lecture are due at its second one."""
    rows = ["| meeting | in class | until the next one |", "|---|---|---|"]
    for plan in plans:
        number = 2 * plan.lecture - 1
        rows.append(f"| {number} | lecture {plan.lecture}, {plan.minutes[0]} minutes | its exercises, all of them |")
        last = "a claim to refute" if plan is plans[-1] else "the self-check once more"
        rows.append(f"| {number + 1} | seminar on companion {plan.lecture}; the exercises | {last} |")
    return "\n".join([*rows, f"| {2 * len(plans) + 1} | the ledger, `06_claims`: refute one claim | |"])


def chosen(plan: Plan) -> str:
    """Name one exercise of each part that has some: the first, which is the easiest."""
    known = tasks(plan.lecture)
    first = sorted(known[part.tasks[0]] for part in plan.parts if part.tasks)
    return ", ".join(str(task.number) for task in first) + f" ({sum(task.minutes for task in first)} min)"
