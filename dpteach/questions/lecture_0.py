"""The question of the first page, which shows how questions work."""

from .kinds import Choice, Option

QUESTIONS = [
    Choice(
        id="0.1",
        text="Alice has a secret: yes or no. She throws a coin that is loaded 3 to 1 in favour of the truth, and tells "
        "the truth or lies accordingly. You thought that both were equally likely. Now she says *yes*. How likely is "
        "it that her secret is yes?",
        options=(
            Option("1/2, as before", "That would be so if she lied half of the time. A truth is likelier than a lie."),
            Option("3/4", "Yes: with both equally likely, 3 out of 4 such answers are true.", True),
            Option("5/8", "That is halfway between 1/2 and 3/4: a compromise, where Bayes' rule is asked for."),
            Option("1, she has said it", "She may have lied: every answer is possible with either secret."),
        ),
        why="By Bayes' rule the odds of yes against no, before 1 to 1, are multiplied by the ratio of the two "
        "probabilities of what you heard, 3/4 to 1/4. That ratio is what differential privacy bounds: whatever "
        "you believed before, one answer multiplies your odds by 3 at most.",
        minutes=1,
        mistake="They either trust the answer or ignore it; it is worth a factor.",
    ),
]
