"""The questions of lecture 4: what if something leaks beside the answers? tests/questions computes every number."""

from .kinds import Choice, Option

QUESTIONS = [
    Choice(
        id="4.1",
        text="Five studies of a disease are run in a city, and every patient takes part in all of them. Dora takes "
        "part in none. In each study, run with coins of its own, the presence of one person makes no answer more than "
        "3 times as likely, or as unlikely. By how much can the five answers together change somebody's odds that "
        "Dora is ill?",
        options=(
            Option(
                "by a factor of 1: she is in none of them",
                "She stays away because she is healthy. If she were ill, all the answers would have another law, so "
                "they tell about her.",
            ),
            Option(
                "by a factor of 3",
                "That is one study. Each of the five tells whether she is there, with coins of its own.",
            ),
            Option("by a factor of 15", "That adds the ratios. Losses add up, so ratios multiply."),
            Option("by a factor of 243", "Yes: a factor of 3 for every study.", right=True),
        ),
        why="Ill, she would be in all five; healthy, she is in none. So the answers are five coins of ratio 3 about "
        "her health, and $3^5 = 243$ is attained. It is correct, and useless: with every further study that she does "
        "not join the bill grows. What is missing is a way to say *given what is known about her anyway*.",
        minutes=2,
        mistake="They believe that who stays away from a study cannot be harmed by it.",
    ),
    Choice(
        id="4.2",
        text="Dora's bit is reported with the help of a coin with eight sides, $r = 0, 1, 2, 3, 4, 5, 6, 7$. The "
        r"report is false for $r = 0$ and $r = 1$ and true for the other six, so $e^{\varepsilon} = 6/2 = 3$. A "
        r"bystander learns whether $r$ is one of 0, 2, 3, and nothing about Dora. How large is $e^{\varepsilon}$ for "
        "the bystander, in the worst case?",
        options=(
            Option("2", "That is the heap 0, 2, 3, with two true reports and a false one. The other heap is worse."),
            Option(
                "3",
                "That is without the leak. The leak says nothing about Dora, but it says which coins are left.",
            ),
            Option("4", "Yes: of the coins 1, 4, 5, 6, 7 only the first reports falsely.", right=True),
            Option("6", "That takes all six true reports against a false one; but they are not all in one heap."),
        ),
        why="The leak deals the coins into two heaps. In one of them the report is true in two cases of three, in the "
        "other in four of five. We promise for the worst value that can leak. A leak about the coins alone has made "
        "the report more revealing.",
        minutes=3,
        mistake="A leak that says nothing about her cannot harm her.",
    ),
    Choice(
        id="4.3",
        text=r"A secret of three bits is hidden by a one-time pad: published is $x \oplus r$, bit by bit, with a "
        "random key $r$ of three fair bits. That is perfect, $(0, 0)$-DP. Now the first of the three key bits leaks. "
        r"Neighbours differ in one bit of the secret. How large is $\delta$ given the leak, whatever $\varepsilon$?",
        options=(
            Option("1", "Yes: neighbours that differ in the first bit are told apart with certainty.", right=True),
            Option("1/2", "That is the chance to guess the first bit. Given its key bit, nobody has to guess."),
            Option(
                "1/3",
                "That is the share of the neighbours that are exposed. A promise is for the worst of them.",
            ),
            Option("0", "That was true before. The first bit of the secret now lies open."),
        ),
        why=r"One key bit opens one bit of the secret, for sure. That exposes a third of all neighbours, but $\delta$ "
        "asks for the worst pair, and whoever owns the first bit is not helped by the average.",
        minutes=2,
        mistake="They average over the neighbours: an average is nobody's privacy.",
    ),
    Choice(
        id="4.4",
        text="Now the leak is Dora's bit $x$ itself, and the report of question 4.2 is published as well. What does "
        r"the definition say about the report, at $e^{\varepsilon} = 3$?",
        options=(
            Option(
                r"that $\delta = 1$, as everything is known",
                "That everything is known is the doing of the leak. The definition asks what the report adds.",
            ),
            Option(
                r"that $\delta = 0$, as the report alone has $e^{\varepsilon} = 3$",
                "The report in the clear would get the same verdict, so this is not because of the coins.",
            ),
            Option(
                r"that $e^{\varepsilon}$ gets larger, as there are two looks at one bit",
                "That is the bill of both together. Here we ask for the report, given the leak.",
            ),
            Option(
                "it is silent: no two databases are compared",
                "Yes: no value can leak at both databases.",
                right=True,
            ),
        ),
        why="Either $o$ is impossible at one of the two databases, or the inequality must hold. Here the first is the "
        "case for every $o$, so every number satisfies the definition, for this report and for any other. Such a "
        "promise is *vacuous*.",
        minutes=2,
        mistake="They read a promise about nothing as a promise of nothing lost.",
    ),
    Choice(
        id="4.5",
        text=r"Given the leak, a release is $(\ln 2, 0.1)$-private. The leak itself is $(\ln 3, 0.2)$-DP; ten of "
        r"its values can leak at every database. Both are published. Which $\delta$ must be promised for the two "
        r"together at $e^{\varepsilon} = 6$, as plain DP, if nothing else is known?",
        options=(
            Option("0.1", "That is the release alone, given the leak. The leak can fail, too."),
            Option("0.28", r"Yes: that is $1 - 0.9 \cdot 0.8$.", right=True),
            Option(
                "0.3",
                "The sum is safe, but more than needed: where the leak has failed there is nothing more to lose.",
            ),
            Option(
                "2.3",
                "That charges the 0.2 of the leak $1 + 10$ times, as a remark in the paper does. It is safe, since it "
                "says nothing; but ten copies of a value tell no more than one.",
            ),
        ),
        why=r"Cut the law of the leak at $e^{\varepsilon_2}$ times the other one. What sticks out has mass at most "
        r"0.2; there give up. On the rest, of mass 0.8, the release fails with 0.1. Together $0.2 + 0.8 \cdot 0.1$, "
        "and a worst case attains it.",
        minutes=3,
        mistake="They charge the δ of the leak for every value, or forget it.",
    ),
    Choice(
        id="4.6",
        text=r"Two key bits $r_1$ and $r_2$ are fair and independent. The first release is $x \oplus r_1$, the second "
        r"is $r_2$, and what leaks is $r_1 \oplus r_2$. Given the leak, each of the two releases alone is perfectly "
        r"private, $\delta = 0$. How large is $\delta$ for both together, given the leak?",
        options=(
            Option("0", "Losses add up if every mechanism has coins of its own. These two share a leak, and so coins."),
            Option("1", "Yes: $r_2$ and the leak give $r_1$, and $r_1$ opens the pad.", right=True),
            Option("1/2", "That is the chance to guess $r_1$. Nobody has to: it follows from $r_2$ and the leak."),
            Option("1/4", "That is the chance to guess both key bits. The second is published."),
        ),
        why="Composition needs *fresh coins*: a leak for each mechanism, and independent randomness for each pair of "
        "mechanism and leak. One common leak ties together what was independent before.",
        minutes=3,
        mistake="They compose mechanisms that share one leak.",
    ),
    Choice(
        id="4.7",
        text="Three people in a row have a bit each; to you the bits are independent fair coins. Every bit is "
        "published by a coin that tells the truth 3 times out of 4, and all published bits are 0. It is also "
        "published, exactly, that the first person has the same bit as the second, and the second the same as the "
        "third. How sure are you now that the first bit is 0?",
        options=(
            Option("3/4", "That is what the first answer says alone. The other two are about the same bit now."),
            Option("9/10", "That uses two of the answers. The third one counts as well."),
            Option("27/28", "Yes: odds of 3 for every answer, $3^3 = 27$ to 1.", right=True),
            Option(
                "27/64", "That is the chance that all three coins tell the truth. It must be compared with its rival."
            ),
        ),
        why="After the exact part only 000 and 111 are left, and they were equally likely. So the three answers are "
        "three coins about *one* bit, and the odds are 27 to 1. The exact part alone said nothing about the first bit, "
        "and an answer alone only 3/4.",
        minutes=3,
        mistake="They believe that what is harmless alone stays harmless beside an exact statistic.",
    ),
    Choice(
        id="4.8",
        text=r"Back to Dora, and to studies with $e^{\varepsilon} = 3$. There are two of them, and it is known that "
        "she joined exactly one: the first if she is healthy, the second if she is ill. Given that, by which factor "
        "can the two answers change the odds about her health?",
        options=(
            Option("1", "It is known how many she joined, but not which one, and that depends on her health."),
            Option("3", "She joined one. But two depend on her: that one, and the one that she would have joined."),
            Option("9", "Yes: both studies differ between the two worlds.", right=True),
            Option("6", "That adds the ratios. Losses add up, so ratios multiply."),
        ),
        why="Compare her two worlds study by study. In the first study she is there or not; in the second it is the "
        r"other way round. So each of them tells with a factor of 3, and $3 \cdot 3 = 9$ is attained. If at most $t$ "
        "were joined, at most $2t$ studies can differ.",
        minutes=2,
        mistake="They count the studies that she joined, and forget those that she would have joined.",
    ),
    Choice(
        id="4.s1",
        text=r"A bit is masked by four fair coins, $x \oplus r_1 \oplus r_2 \oplus r_3 \oplus r_4$. The first three "
        r"coins leak. How large is $\delta$ at $\varepsilon = 0$, given the leak?",
        options=(
            Option("3/4", "That is the share of the coins that is known. A share is no piece of the secret."),
            Option("1", "That is with all four coins. The last one hides everything."),
            Option("1/4", "That is the share of the coins that is unknown. One of them is enough."),
            Option("0", "Yes: as long as a fair coin is unknown, the output is a fair coin.", right=True),
        ),
        why="Given any three of the coins the release is perfect, and given all four nothing is left. So what is safe "
        "given each of some leaks need not be safe given all of them: leaks do not add up.",
        minutes=2,
        mistake="They take three of four shares for three quarters of the secret.",
    ),
    Choice(
        id="4.s2",
        text="An office writes: with respect to our exact totals, the release is $(0, 0)$-private. What do you ask "
        "for first?",
        options=(
            Option(
                "the shape of the noise: Laplace or geometric",
                "The number is what it is, whatever the noise. The question is about whom it speaks.",
            ),
            Option(
                "the coverage, for the worst pair of neighbours",
                "Yes: if no neighbours have equal totals, the promise is about nothing.",
                right=True,
            ),
            Option(
                "a smaller number than that",
                "Nothing is smaller than 0. That is what makes it suspicious.",
            ),
            Option(
                "the number of people in the table",
                "A promise for every pair of neighbours does not depend on it. Which pairs are meant?",
            ),
        ),
        why="If the totals change with any one person's data, no two neighbours ever leak the same value, and the "
        "definition is satisfied by bits in the clear. Ask for the coverage, and then for what is promised to "
        "databases at a larger distance, and for output and leak together.",
        minutes=2,
        mistake="They take the smallest number for the best promise.",
    ),
    Choice(
        id="4.s3",
        text="Given $o$, neighbours differ by a factor of at most 2. The databases 00 and 11 differ in two entries. "
        "But only 00, 20, 21 and 11 can leak $o$. By how much can 00 and 11 differ, given $o$?",
        options=(
            Option("2", "They are no neighbours: more than one entry differs."),
            Option(
                "4", "That counts the entries that differ. The way through 10 or 01 is closed: they never leak $o$."
            ),
            Option("8", "Yes: the path 00, 20, 21, 11 has three steps.", right=True),
            Option("16", "That is a step too many: the path 00, 20, 21, 11 has three."),
        ),
        why="The argument goes from neighbour to neighbour, and every database on the way must be able to leak $o$. So "
        "the length of such a path counts, not the number of entries that differ; and without a path there is no "
        "promise.",
        minutes=3,
        mistake="They use group privacy as if all databases could leak the value.",
    ),
    Choice(
        id="4.s4",
        text=r"A study draws one of two people by a fair coin and reports that person's bit with $e^{\varepsilon} = "
        r"3$. As plain DP it has $e^{\varepsilon} = 2$, because of the draw. Who was drawn leaks; output and leak are "
        r"$(\varepsilon', 0)$-independent with $e^{\varepsilon'} = 2$. What is $e^{\varepsilon}$ given the leak, "
        "exactly?",
        options=(
            Option("2", "That is without the leak. Whoever knows the draw has no such protection."),
            Option("3", "Yes: whoever was drawn stands there with the report alone.", right=True),
            Option(
                "4",
                r"That takes the step of independence once, $2 \cdot 2$. The proof takes it twice; the truth is less.",
            ),
            Option("8", r"That is the theorem, $2 \cdot 2^2$. It is safe here, but not exact."),
        ),
        why=r"Given that Dora was drawn, the output is her report, with $e^{\varepsilon} = 3$; given that the other "
        "one was drawn, it does not depend on her. A theorem holds for all mechanisms with its parameters, and some of "
        "them attain it. This one does not.",
        minutes=3,
        mistake="They take a theorem's bound for the value.",
    ),
    Choice(
        id="4.s5",
        text=r"Six studies with $e^{\varepsilon} = 5$ each. It is known that Dora joined two of them at most, whatever "
        "her data. What is the most by which all answers together can change the odds about her data, given that?",
        options=(
            Option("25", "That counts the studies she joined. Those that she would have joined count as well."),
            Option(
                "15625",
                "That is all six studies. But whatever she joins in her two worlds, at least two are the same.",
            ),
            Option("20", "That adds the ratios of four studies. Losses add up, so ratios multiply."),
            Option("625", "Yes: two in the one world and two others in the other, $5^4$.", right=True),
        ),
        why=r"Fix what she joins in the one world, and in the other: at most $\min(2t, k) = 4$ studies differ. It "
        "is attained if she joins the first two in the one world and the last two in the other.",
        minutes=2,
        mistake="They count t studies, or all k of them.",
    ),
]
