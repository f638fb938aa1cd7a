"""Lecture 1 as its teacher sees it: what do many answers cost?"""

from .kinds import Part, Plan, Proof

PLAN = Plan(
    lecture=1,
    before="Have logarithms ready: $\\ln$ of a product is a sum. Say first that the registry's table is real, and that "
    "Alice's name and story are invented.",
    parts=(
        Part(
            minutes=13,
            short=11,
            tasks=(1,),
            proofs=(
                Proof(
                    "Definition, and the first proof",
                    (
                        r"Counts $a$ with Alice and $b$ without her: "
                        r"$L(y) = \ln\frac{P(y)}{Q(y)} = \varepsilon\,(|y - b| - |y - a|)$.",
                        r"Triangle inequality: $-|a - b| \le |y - b| - |y - a| \le |a - b|$.",
                        r"Sensitivity: $|a - b| \le 1$. So $|L(y)| \le \varepsilon$ for every $y$.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=15,
            short=13,
            tasks=(3, 2, 8),
            proofs=(
                Proof(
                    "Proof: basic composition",
                    (
                        r"Without deltas: $P(y_1, y_2) = P_1(y_1)\,P_2(y_2 \mid y_1)$, also if question 2 depends on "
                        r"$y_1$; the same for $Q$.",
                        r"Both ratios are at most $e^{\varepsilon_1}$ and $e^{\varepsilon_2}$. Multiply, sum over $S$.",
                        r"With deltas: let $g(y) = \min(1, e^{\varepsilon_2} Q_2(S_y \mid y))$. "
                        r"Then $P(S) = \mathbb E_{P_1}[P_2(S_y \mid y)] \le \mathbb E_{P_1}[g] + \delta_2$.",
                        r"$\mathbb E_{P_1}[g] = \int_0^1 P_1(g > t)\,dt \le e^{\varepsilon_1} \mathbb E_{Q_1}[g] + "
                        r"\delta_1 \le e^{\varepsilon_1 + \varepsilon_2} Q(S) + \delta_1$.",
                        r"No better for $\delta = 0$: if all coins tell the truth, the ratio is "
                        r"$e^{\sum_j \varepsilon_j}$.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=15,
            short=9,
            tasks=(4,),
            proofs=(
                Proof(
                    r"Lemma: the chance of the largest loss is at most $(1 + e^{-\varepsilon})^{-k}$",
                    (
                        r"Let $A$ be the outputs with loss $\varepsilon$: $P(A) = e^{\varepsilon} Q(A)$.",
                        r"Everything else: $1 - P(A) \ge e^{-\varepsilon}(1 - Q(A)) = e^{-\varepsilon} - "
                        r"e^{-2\varepsilon} P(A)$.",
                        r"Solve: $P(A) \le \frac{1}{1 + e^{-\varepsilon}}$. For $k$ answers multiply the conditional "
                        r"chances.",
                    ),
                ),
                Proof(
                    r"Lemma: the mean loss of one answer is at most $\varepsilon \tanh(\varepsilon/2)$",
                    (
                        r"Draw $e^{-x}$ and its chord between $-\varepsilon$ and $\varepsilon$: "
                        r"$e^{-x} \le \cosh\varepsilon - \frac{x}{\varepsilon} \sinh\varepsilon$.",
                        r"Put in $x = L$, take the mean under $P$. Left: $\mathbb E_P[e^{-L}] = \sum_y Q(y) = 1$.",
                        r"Solve: $\mathbb E_P[L] \le \varepsilon\,\frac{\cosh\varepsilon - 1}{\sinh\varepsilon} = "
                        r"\varepsilon \tanh\frac{\varepsilon}{2} \le \frac{\varepsilon^2}{2}$.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=13,
            short=12,
            tasks=(5, 11, 7, 9),
            proofs=(
                Proof(
                    "Why a tail is enough, and more than needed",
                    (
                        r"The worst event $S$ holds the outputs with $L > \varepsilon^*$.",
                        r"$\delta(\varepsilon^*) = P(S) - e^{\varepsilon^*} Q(S) = \mathbb E_P[\max(0, 1 - "
                        r"e^{\varepsilon^* - L})] \le P(L > \varepsilon^*)$.",
                    ),
                ),
                Proof(
                    "Proof: advanced composition",
                    (
                        r"Given the past, $L_j$ lies in $[-\varepsilon_j, \varepsilon_j]$ and has a mean of at most "
                        r"$\varepsilon_j \tanh\frac{\varepsilon_j}{2}$, whatever is asked.",
                        r"Azuma: $P(\sum_j L_j > \text{drift} + t) \le \exp(-t^2 / (2 \sum_j \varepsilon_j^2))$.",
                        r"Put $t = \sqrt{2 \ln(1/\delta) \sum_j \varepsilon_j^2}$: the right side is $\delta$, and a "
                        r"tail is enough.",
                        r"$\varepsilon^* = \sum_j \varepsilon_j \tanh\frac{\varepsilon_j}{2} + \sqrt{2 \ln(1/\delta) "
                        r"\sum_j \varepsilon_j^2}$.",
                    ),
                ),
            ),
        ),
        Part(
            minutes=14,
            short=8,
            tasks=(6, 10),
            proofs=(
                Proof(
                    "Proof: when advanced composition pays",
                    (
                        r"Price with the drift $d\,\varepsilon$ of one answer: $k d \varepsilon + \varepsilon "
                        r"\sqrt{2 k \ln(1/\delta)}$.",
                        r"Below $k\varepsilon$ means $\sqrt{2 k \ln(1/\delta)} < k (1 - d)$.",
                        r"So $d < 1$ and $k > 2 \ln(1/\delta) / (1 - d)^2$. DRV: $d = e^{\varepsilon} - 1$ reaches 1 "
                        r"at "
                        r"$\varepsilon = \ln 2$.",
                    ),
                ),
            ),
        ),
    ),
    ending=(5, 2),
    say={
        "1.1": "Ask what a registry could do against it: answer a question once, and repeat that answer. And if the "
        "questions are different ones? That is the rest of the course.",
        "1.2": "Draw both densities and mark 10: how high is each curve there? Then mark a number far to the right: "
        "both "
        "are tiny, and their ratio is the same.",
        "1.3": "Ask for the probability of three times yes, once with and once without Alice, as two products; divide.",
        "1.4": "Fix the first answer: is the second question still a surprise? Then its answer is an ordinary private "
        "answer. What would break the proof is noise that is used twice.",
        "1.5": "Ask how often one such coin lies. Then turn it round: for which coins is the worst case rare? For "
        "those "
        "that lie often, the private ones.",
        "1.6": r"Write both probabilities down, multiply by $\pm\varepsilon$, and expand for small $\varepsilon$. The "
        "largest loss is what a coin can do, the mean what it does.",
        "1.7": "Ask which part of $P(S)$ the promise allows anyway: three times what happens without Alice. Only the "
        "rest "
        r"needs a $\delta$.",
        "1.8": r"Ask for the two terms apart, before they are added: which one grows like $k$? Then: for which "
        r"$\varepsilon$ is the drift below $\varepsilon$ itself?",
    },
    explorers={
        "PrivacyLoss": r"what does the picture do if $\varepsilon$ is halved and $k$ made four times as large? (Mean "
        "and deviation stay, nearly; only the largest loss grows.)",
        "BudgetRace": r"make $\varepsilon$ smaller, step by step: where does DRV begin to pay, and why there?",
        "NoisePlanner": "double the number of answers: which plans need twice the noise, which ones less?",
    },
    wrong=(
        r"They say “$\varepsilon$-DP” without saying who is a neighbour; 1.s1 shows what it costs.",
        "They take the lemma on the mean for the theorem. A mean promises nothing; Azuma turns it into a tail.",
        "They think that Laplace noise must be worse than what any theorem charges. The theorems only know "
        r"$\varepsilon$; the noise itself is better.",
    ),
)
