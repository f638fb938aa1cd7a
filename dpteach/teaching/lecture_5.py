"""Lecture 5 as its teacher sees it: who is your neighbour?"""

from .kinds import Part, Plan, Proof

PLAN = Plan(
    lecture=5,
    before=r"Draw a few databases as nodes and join neighbours, once for U and once for B. Ask at every $\varepsilon$ "
    r"of "
    "the lecture: per what?",
    parts=(
        Part(
            minutes=14,
            short=11,
            tasks=(1, 3, 6),
            proofs=(
                Proof(
                    "Proof: privacy is a distance",
                    (
                        r"Shortest path $D = D_0, D_1, \dots, D_n = D'$, all of it inside the class.",
                        r"Each step a factor of at most $e^{\varepsilon}$: together $e^{n\varepsilon}$, "
                        r"$n = d^{\mathcal G}(D, D')$.",
                        "No path: no promise. Conversely, neighbours have distance 1.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=15,
            short=12,
            tasks=(4,),
            proofs=(
                Proof(
                    "Proof: preprocessing",
                    (
                        r"$d_2(f(D), f(D')) \le \Delta f \cdot d_1(D, D')$.",
                        r"$\Pr[M(f(D)) \in S] \le e^{d_2(f(D), f(D'))} \Pr[M(f(D')) \in S] \le "
                        r"e^{\Delta f\,d_1(D, D')} \Pr[M(f(D')) \in S]$.",
                        r"Doing nothing: from U to B a factor of 2 (one goes, one comes), back $\infty$ (the size).",
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
                    "Proof: the composition theorem",
                    (
                        r"$\frac{P(y_1, \dots, y_k)}{Q(y_1, \dots, y_k)} = \prod_i \frac{P_i(y_i \mid \text{before})}"
                        r"{Q_i(y_i \mid \text{before})}$.",
                        r"$P_i$ sees $D$ only through $f_i(D)$: each factor is at most $e^{d_i(f_i(D), f_i(D'))}$.",
                        r"$d(D, D') = \sum_i d_i(f_i(D), f_i(D'))$. Pull back, add up, the level last.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=13,
            short=10,
            tasks=(8, 7, 11),
            proofs=(
                Proof(
                    "Proof: the maximum over pairs",
                    (
                        r"$x$ becomes $x'$: only the part of $x$ and the part of $x'$ change.",
                        "All other mechanisms see the same: factor 1.",
                        r"The two: $e^{\varepsilon_i} e^{\varepsilon_j}$, because the promises are about the whole "
                        "database. That is needed: exact sizes of the parts refute the rest.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=16,
            short=11,
            tasks=(2, 10),
            proofs=(
                Proof(
                    "Proof: a chain of deltas",
                    (
                        r"$P_D \le e^{\varepsilon} P_{D_1} + \delta$, and $P_{D_1} \le e^{n\varepsilon} P_{D'} + "
                        r"\delta\,[n]_{\varepsilon}$.",
                        r"Put in: $P_D \le e^{(n+1)\varepsilon} P_{D'} + \delta\,(1 + e^{\varepsilon} "
                        r"[n]_{\varepsilon})$, and the bracket is $[n+1]_{\varepsilon}$.",
                    ),
                ),
                Proof(
                    "Proof: squares",
                    (
                        r"In units of its noise count $i$ moves by $\mu_i d_i$.",
                        r"Turn the axes along the shift: one normal law, moved by $\sqrt{\sum_i (\mu_i d_i)^2}$; "
                        r"across "
                        "it nothing moves.",
                    ),
                ),
            ),
        ),
    ),
    ending=(6, 2),
    say={
        "5.1": "Ask each firm for two neighbours, and for the output on both. Noise is a means; the question is who is "
        "compared.",
        "5.2": "Let somebody walk from `aa` to `bb` and name every database on the way. Count the steps, not the "
        "stops.",
        "5.3": "Ask for whom the promise must hold: for the person with most visits who may be in the log. And what "
        "does "
        "Alice get?",
        "5.4": "Ask for the two databases that are furthest apart, not for the one on the table. A sensitivity never "
        "looks "
        "at the data at hand.",
        "5.5": "Write the five inputs with and without the person, and cross out those that are equal. Sum and "
        "maximum are "
        "two special cases of what is left.",
        "5.6": "Let somebody in therapy move to another town: which counts change? The parts are disjoint, and two of "
        "them "
        "are touched.",
        "5.7": r"Chain two steps at the board: which $\delta$ gets a factor? Then twelve: the last term alone is most "
        r"of it.",
        "5.8": "Draw the two shifts as the legs of a right triangle. To add them would be right if both went in the "
        "same "
        "direction.",
    },
    explorers={
        "DatabaseGraph": "find a class and a granularity without any neighbours: what does a promise say there?",
        "PartitionBoard": "let a part see one more kind of record: which bound is now too small?",
        "Switchboard": "from how many touched counts on does Gaussian noise win?",
    },
    wrong=(
        "They walk through databases that cannot occur. A path must stay inside the class.",
        "They use the maximum over pairs although each mechanism only promises something about its own part.",
        r"They scale an $(\varepsilon, \delta)$ to a group. Scale $\mu$, and convert at the end.",
    ),
)
