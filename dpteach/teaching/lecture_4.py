"""Lecture 4 as its teacher sees it: what if something leaks beside the answers?"""

from .kinds import Part, Plan, Proof

PLAN = Plan(
    lecture=4,
    before="Tell Dora's story slowly, and write the two bills on the board, *given the leak* and *together with the "
    "leak*: every number of this lecture belongs to one of them.",
    parts=(
        Part(
            minutes=13,
            short=10,
            tasks=(1, 2, 3),
            proofs=(
                Proof(
                    "Proof: what the promise means",
                    (
                        r"Odds in the end = odds before $\cdot\ \frac{\Pr[\ell(x) = o]}{\Pr[\ell(x') = o]}\ \cdot\ "
                        r"\frac{P_o(m)}{Q_o(m)}$.",
                        "The middle factor is the leak's, and done. The last one is on the publisher's bill.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=14,
            short=12,
            tasks=(8,),
            proofs=(
                Proof(
                    "Proof: neither implies the other",
                    (
                        r"The pad $x \oplus r$ is uniform: $(0, 0)$-DP. The key leaks: $\delta = 1$.",
                        r"Any mechanism that leaks its own output: given $o$ it is $o$, $(0, 0)$-bLDP.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=12,
            short=11,
            tasks=(4, 6),
            proofs=(
                Proof(
                    "Proof: from bLDP to DP (Theorem 4, with deltas)",
                    (
                        r"Cut the law of the leak: $h = \min(p, e^{\varepsilon_2} q)$; what sticks out is $\gamma \le "
                        r"\delta_2$.",
                        r"$\Pr_x[S] \le \gamma + \sum_o h(o)\,(e^{\varepsilon_1} Q_o(S_o) + \delta_1)$.",
                        r"$\le e^{\varepsilon_1 + \varepsilon_2} \Pr_{x'}[S] + \gamma + (1 - \gamma)\,\delta_1$; put "
                        r"in "
                        r"$\gamma \le \delta_2$.",
                    ),
                ),
                Proof(
                    "Proof: from DP to bLDP (Theorem 9)",
                    (
                        r"Three steps: $P_o \to P \to Q \to Q_o$.",
                        r"$P_o \le e^{\varepsilon'} P + \delta'$, then $P \le e^{\varepsilon} Q + \delta$, then "
                        r"$Q \le e^{\varepsilon'} Q_o + \delta'$: put one into the other.",
                        r"Independent leak, $\varepsilon' = \delta' = 0$: given it, the promise stays as it is.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=11,
            short=9,
            tasks=(5, 9),
            proofs=(
                Proof(
                    "Proof: composition with fresh coins",
                    (
                        r"Fresh coins: $P_o = P_{o_1} \times \dots \times P_{o_k}$, and the same for $Q$.",
                        "These are ordinary mechanisms, so every theorem of lectures 1 and 2 holds.",
                    ),
                ),
                Proof(
                    "Proof: groups, on a path",
                    (
                        r"Every database on the path can leak $o$: chain the promise.",
                        r"$P_o \le e^{k\varepsilon} Q_o + \delta(1 + e^{\varepsilon} + \dots + e^{(k-1)\varepsilon})$.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=22,
            short=12,
            tasks=(11, 7, 10),
            proofs=(
                Proof(
                    "What may a census claim?",
                    (
                        r"Independent leak: $P_o = P$, $Q_o = Q$.",
                        r"Without a leak every path is open: $d$ steps, $e^{d\varepsilon}$.",
                    ),
                ),
                Proof(
                    "Proof: the big world (Theorem 17)",
                    (
                        r"Fix the others' choices $w$; draw $v$ in the one world, $v'$ in the other. (None of them, "
                        "nor the leak, reads the studies.)",
                        r"Only studies joined in $v$ or $v'$ differ: $m \le \min(2t, k)$.",
                        r"Basic composition of $m$, then average over $w$, $v$, $v'$.",
                    ),
                ),
            ),
        ),
    ),
    ending=(3, 1),
    say={
        "4.1": "Ask for the law of the answers if she were ill. Not to join is an answer, too. Then: does 243 help "
        "her? "
        "That is the question of the lecture.",
        "4.2": "Deal the eight coins into two heaps and count truths and lies in each. The leak is about coins only: "
        "what "
        "has it changed?",
        "4.3": "Ask whose bit is open now, and whether it comforts that person that the others are not exposed. A "
        "promise "
        "is for the worst pair.",
        "4.4": "Ask for two databases that can leak the same value. There are none, so nothing is compared: silent is "
        "not "
        "safe. The report in the clear gets the same verdict.",
        "4.5": "Ask what is left to lose where the leak has failed. So the release can fail in the rest only.",
        "4.6": "Let three students hold $x \\oplus r_1$, $r_2$ and the leak: who needs whom? Every mechanism needs "
        "coins of "
        "its own.",
        "4.7": "Ask how many tables are left after the exact part, and how many answers speak about each. Then ask "
        "for the "
        "prior: 27/28 needs independent fair coins, the factor of 27 does not.",
        "4.8": "Write two lines, healthy and ill, and a column for each study: where do the lines differ? The study "
        "that "
        "she would have joined counts as well.",
    },
    explorers={
        "LeakDial": "turn the dial: which bits are exposed, and what does the coverage say about it?",
        "CensusTown": "which exact counts make the promise silent about somebody who moves?",
        "BigWorld": "how must she join so that all of $2t$ studies depend on her?",
    },
    wrong=(
        "They read *vacuous* as zero. No pair is compared: the promise holds for bits in the clear.",
        "They show the bill *given* the leak where the one *together with* it was asked for.",
        "They condition on a leak that comes later, or on all leaks at once, and keep the numbers of each.",
    ),
)
