"""The questions of lecture 2: which errors must a tester make? tests/questions computes every number in them."""

from .kinds import Choice, Number, Option, Slip

QUESTIONS = [
    Choice(
        id="2.1",
        text=r"The registry is $(\ln 3)$-DP: no event is more than 3 times as likely with Alice as without her, nor "
        "the other way round. A tester says “Alice is in it” in 10% of the cases in which she is not. How often must "
        "the tester at least miss her when she is?",
        options=(
            Option("in 3% of the cases", "That divides the false alarms by 3. The promise does not let errors vanish."),
            Option(
                "in 30%",
                "That is one of the two inequalities, $P_{FA} + 3 P_{MD} \\ge 1$. The other one asks for more.",
            ),
            Option(
                "in 70%",
                "Yes: the alarm comes at most 3 times as often with Alice, so in 30% of the cases.",
                right=True,
            ),
            Option("in 90%", "That is blind guessing. The promise allows the tester a little more than that."),
        ),
        why="The event “the tester says Alice” has probability 0.1 without her and so at most 0.3 with her. In "
        r"general $3 P_{FA} + P_{MD} \ge 1$ and $P_{FA} + 3 P_{MD} \ge 1$; few false alarms make the first one "
        "decide.",
        minutes=2,
        mistake="They use the promise in one direction only, mostly the one that does not bind.",
    ),
    Number(
        id="2.2",
        text=r"Now the registry is $(\ln 3, 0.1)$-DP. A tester errs equally often in both directions. How small can "
        "this error probability be?",
        answer=0.225,
        within=0.006,
        right=r"Yes: $x + 3x = 1 - 0.1$.",
        slips=(
            Slip(0.25, r"That is the corner for $\delta = 0$. A positive $\delta$ lets a tester err less."),
            Slip(0.45, r"That uses the $\delta$ and forgets the $\varepsilon$: $(1 - 0.1)/2$."),
            Slip(0.15, r"That subtracts all of $\delta$ from the corner 0.25; the corner moves by a quarter of it."),
        ),
        otherwise=r"Put $P_{FA} = P_{MD} = x$ into $3 P_{FA} + P_{MD} \ge 1 - \delta$.",
        why=r"Both inequalities become $(1 + e^{\varepsilon}) x \ge 1 - \delta$ when the two errors are equal. So the "
        r"corner of the region is at $x = (1 - \delta)/(1 + e^{\varepsilon}) = 0.9/4$.",
        minutes=3,
        mistake="They forget δ, or subtract it at the end.",
    ),
    Choice(
        id="2.3",
        text="A mechanism has four outputs, A, B, C and D. Without Alice their probabilities are 0.2, 0.1, 0.1 and "
        "0.6; with her 0.3, 0.25, 0.2 and 0.25. You may raise false alarms with probability 0.2 at most. On which "
        "outputs do you say “Alice”?",
        options=(
            Option("on A", "That is the likeliest output with Alice, but it spends the whole 0.2 to find her in 0.3."),
            Option("on B alone", "That is the best output, and it leaves half of the allowed false alarms unused."),
            Option("on B and C", "Yes: together they cost 0.2 and find her in 0.45 of the cases.", right=True),
            Option(
                "on any output, by the toss of a coin, one time in five",
                "That is blind guessing: it finds her in 0.2 of the cases.",
            ),
        ),
        why="What an output costs is its probability without Alice, what it brings is its probability with her. So "
        "take the outputs in the order of the ratio: B with 2.5, C with 2, then A with 1.5, then D. That is the lemma "
        "of Neyman and Pearson: exchanging an output for a better one loses nothing.",
        minutes=3,
        mistake="They order the outputs by P instead of by P/Q.",
    ),
    Choice(
        id="2.4",
        text="Some of the published counts are negative, because of the noise. A clever analyst repairs the table: "
        "negative counts become 0, the others are rounded, and the whole is adjusted to a total that everybody "
        "knew beforehand. The result is *closer to the truth*. What can a tester do after such a repair?",
        options=(
            Option(
                "more than before: noise has been removed",
                "The repair knows only what the tester knew as well, who could have done the same.",
            ),
            Option(
                "nothing that was not possible before", "Yes: whoever holds the table can repair it, too.", right=True
            ),
            Option(
                "always strictly less than before: every repair loses information",
                "A repair that can be undone loses nothing. The region shrinks or stays as it is.",
            ),
            Option(
                "more, but only if the repair is random",
                "Coins that the analyst tosses can be tossed by the tester as well.",
            ),
        ),
        why="A test on the repaired table is a test on the published one: first repair, then decide. So its errors "
        "were possible before. Accuracy and privacy are not opposites here: a repair may bring a table closer to the "
        "truth without telling more about Alice, as long as it does not look at the data again.",
        minutes=3,
        mistake="Post-processing can sharpen: they take accuracy for disclosure.",
    ),
    Choice(
        id="2.5",
        text=r"Two answers have exactly the same $\varepsilon = \ln 3$: a coin that tells the truth 3 times out of 4, "
        "and Laplace noise on a count that Alice changes by 1. A tester wants both errors to be equal, and as small "
        "as possible. Which of the two answers allows the smaller error?",
        options=(
            Option(
                r"both the same: $\varepsilon$ is the same",
                r"$\varepsilon$ is the largest loss. Where it is reached, and how often, differs.",
            ),
            Option(
                "the coin", "Yes: 0.25 against 0.289. The coin has a loss of full size in every output.", right=True
            ),
            Option(
                "the Laplace noise: a real number tells more than a bit",
                "It has more outputs, but between the two counts they hardly speak for one side.",
            ),
            Option(
                "they cannot be compared: a bit is no number",
                "Errors can be compared, whatever the outputs look like. That is the use of the region.",
            ),
        ),
        why=r"Laplace noise, cut in the middle between the two counts, errs with probability $e^{-\varepsilon/2}/2 = "
        r"0.289$; the coin with $1/(1 + e^{\varepsilon}) = 0.25$, which is the corner of the region. Every "
        r"$\varepsilon$-DP answer is a blurred copy of this coin, so nothing is worse than the coin.",
        minutes=3,
        mistake="They believe that ε says everything.",
    ),
    Choice(
        id="2.6",
        text="One coin that tells the truth 3 times out of 4 lets a tester err with probability 0.25 on both sides. "
        "Now *two* such coins report the same bit. How far do the two equal errors fall?",
        options=(
            Option("to 0.0625", "That is $1/16$, the probability that both lie. When they disagree, one has to guess."),
            Option(
                "to 0.1",
                r"That is $1/(1 + 9)$: the corner that basic composition, $\varepsilon = 2 \ln 3$, leaves. No test "
                "gets there.",
            ),
            Option("to 0.125", "That halves the error. Two reports help only if they agree."),
            Option(
                "they do not fall",
                "Yes: with probability $6/16$ the coins disagree, and then one may as well toss a coin.",
                right=True,
            ),
        ),
        why="Both lie with probability $1/16$; with $6/16$ they disagree and half of the guesses are wrong: $1/16 + "
        "3/16 = 1/4$. The second report helps a tester who accepts unequal errors, not this one. Basic composition "
        "does not see that: its region is too large.",
        minutes=3,
        mistake="They multiply the errors, as if a tester could always rely on agreement.",
    ),
    Choice(
        id="2.7",
        text="Thirty answers, each $(0.1, 0.001)$-DP. Basic composition promises $(3, 0.03)$. Nobody pays any further "
        r"$\delta$: it stays at 0.03. What is the smallest $\varepsilon$ that holds for all such answers?",
        options=(
            Option(
                r"3: without further $\delta$ nothing can be gained",
                r"So it is often said. But the thirty $\delta$ overlap, and what is left over buys $\varepsilon$.",
            ),
            Option(
                "about 1.59",
                r"Yes: the $\delta$ of thirty answers is a little less than 0.03, and that suffices.",
                right=True,
            ),
            Option(
                "about 0.55",
                r"That is $\sqrt{30} \cdot 0.1$, about one deviation of the loss. One has to allow for several.",
            ),
            Option(
                "there is none: advanced composition needs a slack above 0",
                "That is one theorem. What is true does not depend on which theorem we quote.",
            ),
        ),
        why="Thirty worst pairs give the secret away with probability $1 - 0.999^{30} = 0.02957$, not 0.03. The "
        r"difference, 0.00043, is a slack that the sum of thirty small losses turns into an $\varepsilon$ of 1.59 "
        "instead of 3. The union bound is a bound, not the optimum.",
        minutes=3,
        mistake="Union bound = optimum.",
    ),
    Choice(
        id="2.8",
        text=r"A published theorem gives each of $k$ counts Gaussian noise of variance $8 k \ln(e + "
        r"\varepsilon/\delta) / \varepsilon^2$ and promises $(\varepsilon, \delta)$-DP for all of them together, for "
        r"any $\varepsilon > 0$. Take $\varepsilon = 100$ and $\delta = 0.1$. What is the $\delta$ of the $k$ answers "
        "really?",
        options=(
            Option(
                "far less than 0.1: such recipes are generous",
                r"They are, for small $\varepsilon$. Here the noise falls faster than the promise.",
            ),
            Option(
                "at most 0.1: it is a theorem",
                "A theorem of a good paper, and computed exactly it fails here. Check before you promise.",
            ),
            Option(
                "above 0.1 for large $k$ only",
                "The variance grows with $k$, so the $k$ answers together are the same for every $k$.",
            ),
            Option("about 0.22, for every $k$", "Yes: more than twice what was promised.", right=True),
        ),
        why=r"The $k$ answers are one Gaussian answer with $\mu = \varepsilon / \sqrt{8 \ln(e + \varepsilon/\delta)} "
        r"= 13.4$. Its mean loss is $\mu^2/2 = 90.4$, which grows almost like $\varepsilon^2$, while the promise "
        r"grows like $\varepsilon$. Sooner or later the mean alone breaks it.",
        minutes=3,
        mistake="They trust a closed form outside the range in which it was meant.",
    ),
    # ------------------------------------------------------------------------------------------ self-check
    Number(
        id="2.s1",
        text="Somebody shows you a test with 10% false alarms and 10% missed detections. The answers are said to be "
        r"$(\ln 3, \delta)$-DP. How large must $\delta$ be at least?",
        answer=0.6,
        within=0.01,
        right=r"Yes: $0.3 + 0.1 \ge 1 - \delta$.",
        slips=(
            Slip(0.4, r"That is $3 P_{FA} + P_{MD}$ itself; $\delta$ is what is missing from it to 1."),
            Slip(0.8, r"That is $1 - 0.1 - 0.1$: it forgets the factor 3 that the promise grants."),
            Slip(0, r"With $\delta = 0$ it would have to be $0.3 + 0.1 \ge 1$."),
        ),
        otherwise=r"Put the two errors into $3 P_{FA} + P_{MD} \ge 1 - \delta$.",
        why=r"The point $(0.1, 0.1)$ lies far outside of the region of $\ln 3$, whose corner is at 0.25. Solved for "
        r"$\delta$, the inequality says how much of a catastrophe the promise must admit.",
        minutes=2,
        mistake="They confuse the sum of the errors with what is missing from it.",
    ),
    Choice(
        id="2.s2",
        text=r"All you know of a mechanism is one test: 10% false alarms, 50% missed detections. Which $\varepsilon$ "
        r"must a promise with $\delta = 0$ have at least?",
        options=(
            Option(
                r"$\ln 1.8 \approx 0.59$",
                "That is the other inequality, $0.9/0.5$. Both must hold, and this one is the weaker.",
            ),
            Option(r"$\ln 2 \approx 0.69$", "That looks at the missed detections only: $1/0.5$."),
            Option(
                r"$\ln 5 \approx 1.61$",
                "Yes: the alarm is $0.5/0.1$ times as likely with Alice as without.",
                right=True,
            ),
            Option(r"$\ln 9 \approx 2.20$", "That compares alarm and no alarm without Alice: $0.9/0.1$."),
        ),
        why="Compared with never raising an alarm, this test pays 0.1 false alarms and saves 0.5 missed detections: "
        r"an exchange rate of 5. A promise allows at most $e^{\varepsilon}$. So the tangents of a mechanism's border "
        "are its promises.",
        minutes=2,
        mistake="They take the wrong one of the two inequalities.",
    ),
    Choice(
        id="2.s3",
        text=r"A hundred answers have a hundred different $\varepsilon$. To compute their exact optimum is #P-hard. "
        "What does that mean for somebody who has to promise a number?",
        options=(
            Option(
                "only a closed formula is left, however far it is from the truth",
                "Hard to compute exactly is not hard to compute closely.",
            ),
            Option(
                "a bracket, narrow and certain to hold the optimum, takes a second",
                "Yes: round every loss to a grid, once up and once down, and count.",
                right=True,
            ),
            Option(
                "one has to simulate, and to hope",
                "A simulation hardly ever sees an event of probability $10^{-6}$, and it proves nothing.",
            ),
            Option(
                r"one has to give all answers the same $\varepsilon$",
                "The largest one for all is valid, and wasteful. It is not needed.",
            ),
        ),
        why="Exactly, the sum has $2^{100}$ terms, because in general all of the sums of losses are different. On a "
        "grid many of them fall together. Rounded up they give a promise that holds, rounded down a bound that no "
        "promise can beat.",
        minutes=2,
        mistake="They read #P-hard as “cannot be known”.",
    ),
    Choice(
        id="2.s4",
        text="For two given databases the region of mechanism B lies inside the region of mechanism A. What follows?",
        options=(
            Option(
                "for these two databases, outputs of A can be turned into outputs of B by some random map",
                "Yes: that is Blackwell's theorem.",
                right=True,
            ),
            Option(
                "B is computed from the outputs of A, by one map for all databases",
                "For two databases only: for another two, the map may have to be another one.",
            ),
            Option(
                "nothing: to lie inside is necessary for post-processing, not sufficient",
                "It is sufficient, too, when only two databases are in question.",
            ),
            Option(
                "B adds more noise than A",
                "It tells these two databases apart no better. It need not add any noise at all.",
            ),
        ),
        why="Post-processing shrinks regions, and Blackwell proved the converse for two hypotheses. Composition needs "
        "no more: the adversary wants to tell two databases apart, and the map may depend on both of them.",
        minutes=2,
        mistake="They read Blackwell's theorem as a statement about all databases at once.",
    ),
    Number(
        id="2.s5",
        text="Three coins report the same bit, each telling the truth 3 times out of 4. How small can the two equal "
        "errors of a tester be? (Two such coins were no better than one.)",
        answer=0.156,
        within=0.004,
        right="Yes: $10/64$, the probability that at least two of the three lie.",
        slips=(
            Slip(0.25, "That is one coin, or two. The third one settles the ties."),
            Slip(0.0156, "That is $1/64$, the probability that all three lie. Two liars are enough to win the vote."),
            Slip(0.0357, r"That is $1/(1 + 27)$, what basic composition cannot exclude. No test gets there."),
        ),
        otherwise="The best test follows the majority. When is the majority wrong?",
        why=r"The majority errs if two lie, $3 \cdot 3/64$, or all three, $1/64$. Three coins have no ties, so this "
        "test has equal errors by itself, and it is a corner of the border: 0.156.",
        minutes=2,
        mistake="They take the case that all lie for the only error.",
    ),
]
