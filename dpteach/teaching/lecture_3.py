"""Lecture 3 as its teacher sees it: what if only some answers are about you?"""

from .kinds import Part, Plan, Proof

PLAN = Plan(
    lecture=3,
    before="Write a vector of bits on the board, one for each database, and say what it is: where Alice is, not what "
    "her "
    "record says.",
    parts=(
        Part(
            minutes=13,
            short=10,
            tasks=(),
            proofs=(
                Proof(
                    "The experiment",
                    (
                        "Round $i$: the adversary submits an ordered pair of neighbours $(x_i^0, x_i^1)$ and a "
                        "mechanism, "
                        "and gets the answer for $x_i^{b_i}$.",
                        "Any pair: without and with, with and without, twice the same.",
                        r"Classic: all bits are equal. Here: any vector $\mathbf b$; its view has the law $P_{\mathbf "
                        r"b}$.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=10,
            short=8,
            tasks=(1, 2, 3),
            proofs=(
                Proof(
                    "Proof: what hypothesis DP says about beliefs",
                    (
                        r"$P_p = \sum_{\mathbf b} p(\mathbf b) P_{\mathbf b}$, and $\mathrm{BF}(v) = P_{p_0}(v) / "
                        r"P_{p_1}(v)$ multiplies the odds.",
                        r"The worst set is $S = \lbrace \mathrm{BF} > e^{\varepsilon} \rbrace$.",
                        r"There $P_{p_0}(S) - e^{\varepsilon} P_{p_1}(S) = \mathbb E_{p_0}[\max(0, 1 - "
                        r"e^{\varepsilon} / \mathrm{BF})]$: this must be at most $\delta$, both ways.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=14,
            short=9,
            tasks=(11,),
            proofs=(
                Proof(
                    "Proof: Theorem 1 of the paper, in two lines",
                    (
                        r"Two vectors: submit $(x_i^{b_i}, x_i^{c_i})$ in the classic experiment. The bit 0 shows "
                        r"$P_{\mathbf b}$, the bit 1 shows $P_{\mathbf c}$.",
                        r"Two laws: average over $\mathbf b \sim p_0$ and $\mathbf c \sim p_1$.",
                        "Where was it used that pairs may be turned round, and may be equal? Let the class find it.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=18,
            short=14,
            tasks=(5, 7, 10),
            proofs=(
                Proof(
                    "Proof: only rounds in which two vectors differ count",
                    (
                        "Where the bits agree she submits one database twice: the answer is a coin of her own.",
                        r"What is left is a classic experiment with the other rounds.",
                        r"A cap of $m$: $\min(k, m)$ rounds for *at all?*, $\min(k, 2m)$ for *where?*",
                    ),
                ),
            ),
        ),
        Part(
            minutes=16,
            short=12,
            tasks=(4, 6, 8, 9),
            proofs=(
                Proof(
                    "5. What the adversary does not know",
                    (
                        r"$P' = \gamma P + (1 - \gamma) Q$ and $P \le xQ + \delta$, $x = e^{\varepsilon}$.",
                        r"$P' \le (1 + \gamma(x - 1))\,Q + \gamma\delta$.",
                        r"Back: $(1 - \gamma + \gamma/x)\,Q \le P' + \gamma\delta/x$.",
                    ),
                ),
                Proof(
                    "Proof: what holds",
                    (
                        r"A matching is a joint law $\pi$ of $\mathbf b \sim p_0$, $\mathbf c \sim p_1$.",
                        r"$P_{p_0} = \sum \pi(\mathbf b, \mathbf c) P_{\mathbf b} \le \sum_{\mathbf c} p_1(\mathbf c)\,"
                        r"\mathbb E_\pi[e^{\varepsilon(\mathbf b, \mathbf c)} \mid \mathbf c]\,P_{\mathbf c}$.",
                        r"Take the maximum over $\mathbf c$ out; the mean over $\mathbf c$ may not be taken: the view "
                        "changes its weights.",
                    ),
                ),
            ),
        ),
    ),
    ending=(4, 2),
    say={
        "3.1": "Let them find one patient in the report: town, age, conditions. Then count the counts that hold her, "
        "totals included.",
        "3.2": "Ask what she learns about a bit that selects nothing. Then say what it is good for: it is how an "
        "adversary "
        "waits, and the two-line proof needs it.",
        "3.3": "Write the probability of two times yes under each of the four vectors, and average three of them. A "
        "mixture is not its worst member.",
        "3.4": "Take two vectors that agree in one bit: can the adversary simply not look at that answer? So one more "
        "bit "
        "that differs never harms her. Which pairs can get no worse?",
        "3.5": "Write C or D for each round under each vector. Who chose the order? A theorem about all adversaries "
        "says "
        "nothing about a single one.",
        "3.6": "Ask in how many hospitals the answer has another law with Alice than without her: in hers only, "
        "whichever "
        "they are. Then: why is it not 36.5%?",
        "3.7": "Take the person away: what is published now? Whatever changes is an answer about her, with noise or "
        "without.",
        "3.8": "Compute the view 00 under both hypotheses. What has become of the weight of 11 after it? The recipe "
        "still "
        "uses the weights from before.",
    },
    explorers={
        "ContributionPlanner": "let the number of databases grow and keep the cap: which bars go on growing?",
        "TwoHypotheses": "take one of the four vectors away: is the recipe right now? Why?",
        "PriorKnowledge": "which belief keeps Alice safest, which one puts her most at risk?",
    },
    wrong=(
        "They read the bits as Alice's data. They say in which databases she is.",
        "They take “all vectors equally likely” for no knowledge at all: it says that she is in half of the files.",
        "They let the adversary choose the order where guarantees belong to the rounds and are incomparable; then the "
        "bound may fail.",
    ),
)
