"""Lecture 2 as its teacher sees it: which errors must a tester make?"""

from .kinds import Part, Plan, Proof

PLAN = Plan(
    lecture=2,
    before="Draw the unit square first, missed detection to the right, false alarm upwards, and leave it on the board "
    "for the whole lecture. *With* and *without* Alice are the two answers of a tester.",
    parts=(
        Part(
            minutes=14,
            short=11,
            tasks=(1, 2),
            proofs=(
                Proof(
                    "Proof 1: what a promise forbids",
                    (
                        r"First inequality with $A$ = “says with”: $1 - P_{MD} \le e^{\varepsilon} P_{FA} + \delta$.",
                        r"Second one with $A$ = “says without”: $1 - P_{FA} \le e^{\varepsilon} P_{MD} + \delta$. It "
                        "needs the other event: insist.",
                        "Coins mix tests, and mixtures keep the lines. Conversely every set $A$ is a test.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=13,
            short=10,
            tasks=(3, 6, 8),
            proofs=(
                Proof(
                    "Proof 2: exchange (Neyman and Pearson)",
                    (
                        "In words: give back a poor output, buy a better one for the same price.",
                        r"$\varphi = 1$ where $P > tQ$, $0$ where $P < tQ$. Then $(\varphi - \psi)(P - tQ) \ge 0$ on "
                        "every output, for any test $\\psi$.",
                        r"Add up: $P_{MD}(\psi) - P_{MD}(\varphi) \ge t\,(P_{FA}(\varphi) - P_{FA}(\psi)) \ge 0$.",
                    ),
                ),
                Proof(
                    "Proof 2, continued: tangents are promises",
                    (
                        r"A test on $S$ has $e^{\varepsilon} P_{FA} + P_{MD} = 1 - \sum_{y \in S} (P(y) - "
                        r"e^{\varepsilon} Q(y))$.",
                        r"Least for $S = \lbrace P > e^{\varepsilon} Q \rbrace$: it is $1 - \delta_1(\varepsilon)$, "
                        "and the line touches.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=16,
            short=13,
            tasks=(5, 11),
            proofs=(
                Proof(
                    "Proof 3: a test on the copy is a test on the original",
                    (r"First $T$, then the test: the same two errors. So regions shrink, promises survive.",),
                ),
                Proof(
                    "Proof 3, continued: all answers are copies of the worst pair",
                    (
                        r"First $\delta = 0$, $r = e^{\varepsilon}$: on *rather with* print $y$ with probability "
                        r"$\frac{rP - Q}{r - 1}$, on *rather without* with $\frac{rQ - P}{r - 1}$.",
                        r"Not negative: that *is* $\varepsilon$-DP. Both sum to 1. Weighted by $\frac{r}{1 + r}$ and "
                        r"$\frac{1}{1 + r}$ they give $P$, the other way round $Q$.",
                        r"With $\delta$: cut off $P - \min(P, rQ)$, at most $\delta$; print it on *surely with*. The "
                        r"same "
                        "for $Q$. What is left obeys $r$, scale it.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=18,
            short=14,
            tasks=(4, 9, 10),
            proofs=(
                Proof(
                    "Proof 4: does a clever adversary gain more?",
                    (
                        r"After the history $h$ a map $T_h$ makes the answer from the worst pair $W_i$.",
                        r"$y_1 = T(W_1),\ y_2 = T_{y_1}(W_2),\ \dots$: the whole conversation is a copy of $k$ "
                        "independent worst pairs.",
                        r"Needed: fresh noise, one hidden bit, $\varepsilon_i$ and $\delta_i$ fixed beforehand.",
                    ),
                ),
                Proof(
                    "Proof 4, continued: the optimum of $k$ equal answers (Theorem 3.3)",
                    (
                        r"No secret given away: $(1 - \delta)^k$. Then $\ell$ of $k$ coins say *rather without*: "
                        r"$P : Q = r^{k - \ell} : r^{\ell}$, times $\binom{k}{\ell} / (1 + r)^k$.",
                        r"At $\varepsilon' = (k - 2i)\varepsilon$ only $\ell < i$ count.",
                        r"$\delta_i = \sum_{\ell < i} \binom{k}{\ell} \frac{r^{k - \ell} - r^{k - 2i + \ell}}"
                        r"{(1 + r)^k}$, and $\delta' = 1 - (1 - \delta)^k (1 - \delta_i)$.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=12,
            short=6,
            tasks=(7,),
            proofs=(
                Proof(
                    "Proof 5: hard to count, easy to enclose",
                    (
                        "A stronger coin makes a weaker one: so rounding all $\\varepsilon_i$ up (down) to multiples "
                        "of "
                        "$h$ gives an upper (lower) bound.",
                        r"On the grid there are about $2 \sum_i \varepsilon_i / h$ sums of losses, not $2^k$.",
                    ),
                ),
                Proof(
                    "Proof 5, continued: why it must fail",
                    (
                        r"$k$ Gaussian answers are one, with $\mu = \sqrt k / \sigma = \varepsilon / "
                        r"\sqrt{8 \ln(e + \varepsilon/\delta)}$.",
                        r"Mean loss $\mu^2/2 = \varepsilon \cdot \frac{\varepsilon}{16 \ln(e + \varepsilon/\delta)}$: "
                        r"sooner or later above $2\varepsilon$, and then $\delta \to 1$.",
                    ),
                ),
            ),
        ),
    ),
    ending=(2, 1),
    say={
        "2.1": "Write the event “the tester says Alice” on the board with its probability without her: what is the "
        "most "
        "it can be with her? Then the same for the other event: which of the two lines asks for more?",
        "2.2": r"Set both errors equal in both inequalities: they become one. The $\delta$ stands inside, so it is "
        r"divided "
        r"by $1 + e^{\varepsilon}$ like all the rest.",
        "2.3": "Give each output a price, without Alice, and a yield, with her. Who would buy A before B?",
        "2.4": "Ask who could have made the repair: whoever holds the table. Then ask for a repair that loses nothing, "
        "and for one that loses everything.",
        "2.5": "Ask on which outputs each of the two has its full loss: the coin on both, the noise only outside of "
        "the "
        r"two counts. One $\varepsilon$ is one tangent, not the border.",
        "2.6": "List the four reports of two coins. What do you say when they disagree? Then allow unequal errors: who "
        "gains by the second coin?",
        "2.7": "Ask how often thirty answers give the secret away at least once, and compare it with the sum. What is "
        r"left over is a $\delta$ that nobody has used.",
        "2.8": r"Ask what happens to the noise if $\varepsilon$ doubles, and what to the mean loss. Be fair: for the "
        r"$\varepsilon$ that people use the theorem is right, and KOV's corollaries have such a range.",
    },
    explorers={
        "PrivacyRegion": r"which corners move with $\delta$ alone? (Those on the axes.)",
        "TesterGame": "half of the room follows the majority, the other half its nose; which half ends on the border?",
        "CompositionRegions": "which theorem's region comes closest to the exact one if $k$ grows?",
    },
    wrong=(
        "They exchange the two errors. Keep the square on the board, and say *with* and *without*, not yes and no.",
        "They take the worst pair for something that somebody runs. It is a yardstick: what is true for it is true "
        "for all.",
        "They want one map for all databases in proof 3. It may depend on the two that are compared, and that is "
        "enough.",
        r"They let $\varepsilon_i$ depend on earlier answers in proof 4: that needs privacy filters, and is another "
        r"theorem.",
    ),
)
