"""The questions of lecture 1: what do many answers cost? tests/questions computes every number that they mention."""

from .kinds import Choice, Number, Option, Slip

QUESTIONS = [
    Choice(
        id="1.1",
        text="The registry answers the same count as often as you like, each time with fresh Laplace noise of scale "
        r"1, whose standard deviation is $\sqrt{2} \approx 1.41$. You ask 100 times and take the average. What is the "
        "standard deviation of your average?",
        options=(
            Option(
                "about 0.014",
                "That divides the deviation by 100, the number of answers. It is the variance that is divided by 100.",
            ),
            Option(
                "about 0.14",
                "Yes: 100 answers divide the deviation by 10, and rounding mostly gives the count.",
                right=True,
            ),
            Option(
                "about 1.41, as before",
                "That holds if the same noise is used for all answers. Fresh noise cancels in an average.",
            ),
            Option("about 14", "That is the deviation of the *sum* of 100 answers; the average divides it by 100."),
        ),
        why="The variance of an average of $n$ independent answers is that of one answer divided by $n$, so the "
        r"deviation falls like $1/\sqrt{n}$. Noise that is drawn afresh for every answer does not protect by itself: "
        "what counts is how many answers there are.",
        minutes=2,
        mistake="They believe that every answer is protected, hence all of them: noise is noise.",
    ),
    Choice(
        id="1.2",
        text="With Alice the true count is 7, without her it is 6. The registry adds Laplace noise of scale 1 and "
        "publishes 10, which is suspiciously high. How many times likelier is that with Alice than without her?",
        options=(
            Option(
                r"$7/6 \approx 1.17$ times",
                "That compares the two true counts. What counts is how likely each of them makes a 10.",
            ),
            Option(
                r"$e \approx 2.72$ times",
                "Yes: 10 is one unit nearer to 7 than to 6, and a published 100 would say no more.",
                right=True,
            ),
            Option(
                r"$e^3 \approx 20$ times",
                "That is how much rarer a 10 is than a 7 with Alice. Without her it is rare as well; only the ratio "
                "counts.",
            ),
            Option(
                r"$e^4 \approx 55$ times",
                "That is how much rarer a 10 is than a 6 without Alice. With her it is rare as well; only the ratio "
                "counts.",
            ),
        ),
        why="The density of the noise falls by a factor $e$ with every unit. A 10 is 3 units away from 7 and 4 units "
        "away from 6, so the ratio is $e^{4-3} = e$, and it is the same for every published number from 7 on. Its "
        "logarithm is the privacy loss: never more than 1 here.",
        minutes=2,
        mistake="They think of how unlikely a 10 is, not of the ratio, and overestimate.",
    ),
    Choice(
        id="1.3",
        text="Three loaded coins report whether Alice is in the registry. The first tells the truth 2 times as often "
        "as it lies, the second 3 times, the third 4 times as often. How large can the ratio $P(y)/Q(y)$ get for the "
        "three reports together?",
        options=(
            Option("3", "That is the average. A further report never takes back what the others can tell."),
            Option(
                "4", "That keeps only the strongest report. The others may say the same, and then they count as well."
            ),
            Option("9", "That adds the ratios. The losses add, the ratios multiply."),
            Option(
                "24", "Yes: independent probabilities multiply, so the ratios do, and their logarithms add.", right=True
            ),
        ),
        why=r"If all three tell the truth, the ratio is $2 \cdot 3 \cdot 4 = 24$; in every other case at least one "
        r"factor is turned over. In logarithms: $\varepsilon = \ln 2 + \ln 3 + \ln 4 = \ln 24$. The largest loss is "
        r"reached, so no smaller $\varepsilon$ can be promised.",
        minutes=2,
        mistake="Adding ratios: 9.",
    ),
    Choice(
        id="1.4",
        text="You choose your second question after you have seen the first answer. Whatever you ask, the answer is "
        r"1-DP (that is, $\varepsilon = 1$), with fresh noise. What do the two answers promise together?",
        options=(
            Option(
                r"$\varepsilon = 1$: the second answer is as private as the first",
                "That takes the larger of the two. Both answers may move the odds, in the same direction.",
            ),
            Option(
                r"$\varepsilon = 2$, as if both questions had been fixed beforehand",
                "Yes: once the first answer is known, the second question is fixed, and its answer has a ratio of at "
                "most $e$.",
                right=True,
            ),
            Option(
                r"more than $\varepsilon = 2$: the second question can aim at what the first has shown",
                "However well it aims, the answer moves the odds by a factor of at most $e$: that is the promise.",
            ),
            Option(
                "nothing: the answers depend on each other, so their probabilities do not multiply",
                "Conditional probabilities do: $P(y_1, y_2) = P(y_1) P(y_2 | y_1)$. Only the noise must be fresh.",
            ),
        ),
        why="$P(y_1, y_2) = P(y_1) P(y_2 | y_1)$, and the same for $Q$. Each of the two ratios is at most $e$, the "
        "second for whatever question $y_1$ led to. So the proof of basic composition needs no fixed questions.",
        minutes=3,
        mistake="They think that the proof needs independent answers; it needs fresh noise.",
    ),
    Choice(
        id="1.5",
        text=r"Now 100 loaded coins report on Alice, who is in the registry, each with $\varepsilon = 10$. With which "
        "probability is the privacy loss the largest possible one, 1000?",
        options=(
            Option(
                r"$2^{-100}$: every further answer halves it",
                "That is so for Laplace noise, of which one half is positive. These coins hardly ever lie.",
            ),
            Option(
                r"$e^{-1000}$",
                "That is the ratio $Q(y)/P(y)$ of this output, not the probability that it comes.",
            ),
            Option("about 0.0045", "That is the probability that at least one coin lies, and the loss is smaller."),
            Option(
                "about 0.995", "Yes: a coin tells the truth with probability 0.99995, and all of them must.", right=True
            ),
        ),
        why=r"One coin tells the truth with probability $1/(1 + e^{-\varepsilon})$, so all $k$ do with probability "
        r"$(1 + e^{-\varepsilon})^{-k}$, and no $k$ answers that are $\varepsilon$-DP have more. It is close to "
        r"$2^{-k}$ only if $k \varepsilon$ is small: the worst case is rare if every single answer is private.",
        minutes=2,
        mistake="They take the halving of Laplace noise for a law of nature.",
    ),
    Choice(
        id="1.6",
        text=r"A loaded coin has $\varepsilon = 0.1$, and Alice is in the registry: its privacy loss is 0.1 when it "
        "tells the truth and $-0.1$ when it lies. What is the mean of the loss?",
        options=(
            Option("0.1", "That is the largest loss. A lie has the opposite loss, and lies are nearly as frequent."),
            Option("about 0.01", r"The order is right, $\varepsilon^2$, but the mean is half of it."),
            Option("about 0.005", r"Yes: $\varepsilon \tanh(\varepsilon/2) \approx \varepsilon^2/2$.", right=True),
            Option("0", "Nearly: but truths are a little more frequent than lies, and this little adds up."),
        ),
        why=r"Truth and lie have probabilities in the ratio $e^{\varepsilon} : 1$, so the mean is $\varepsilon "
        r"\frac{e^{\varepsilon} - 1}{e^{\varepsilon} + 1} = \varepsilon \tanh(\varepsilon/2)$, about "
        r"$\varepsilon^2/2$. For small $\varepsilon$ the mean loss is therefore much smaller than the largest one.",
        minutes=2,
        mistake="They confuse the largest loss with the mean.",
    ),
    Choice(
        id="1.7",
        text="Two coins report, each telling the truth 3 times out of 4. If Alice is in the registry, both tell the "
        r"truth with probability $9/16$, and then the privacy loss is $2 \ln 3$. We want to promise "
        r"$\varepsilon = \ln 3$ only. What is the smallest $\delta$ with which the two reports are "
        r"$(\ln 3, \delta)$-DP?",
        options=(
            Option("$1/16$", "That is how often this output comes *without* Alice: $Q(S)$ alone."),
            Option(
                "$3/8$", r"Yes: $P(S) - 3\, Q(S) = 9/16 - 3/16$; what is within the promise is not counted.", right=True
            ),
            Option("$1/2$", r"That is $P(S) - Q(S)$: it forgets the factor $e^{\varepsilon} = 3$ that is promised."),
            Option(
                "$9/16$",
                r"That is the tail, the probability of a loss above $\ln 3$. It is enough, but more than needed.",
            ),
        ),
        why=r"$(\varepsilon, \delta)$-DP asks for $P(S) \le e^{\varepsilon} Q(S) + \delta$ for every event $S$; the "
        r"worst one is where the loss exceeds $\varepsilon$. So $\delta = P(S) - e^{\varepsilon} Q(S)$, and only "
        r"$P(S)$ is the tail. An output just above $\varepsilon$ costs almost nothing.",
        minutes=3,
        mistake="Tail = δ: they read δ as the probability that the promise fails.",
    ),
    Choice(
        id="1.8",
        text=r"Advanced composition, as Dwork, Rothblum and Vadhan state it, charges $k$ answers $k \varepsilon "
        r"(e^{\varepsilon} - 1) + \varepsilon \sqrt{2 k \ln(1/\delta)}$. The registry has answered 500 questions with "
        r"$\varepsilon = 1$ each; take $\delta = 10^{-5}$. What is the total $\varepsilon$ of this theorem?",
        options=(
            Option("about 22", r"That is $\sqrt{500}$: it drops a whole term and the logarithm."),
            Option(
                "about 107",
                r"That is the second term, which grows like $\sqrt{k}$. The first one, the drift, is much larger.",
            ),
            Option(
                "500: it is never worse than basic composition",
                "No minimum is taken in the formula: a theorem may be advanced and weaker.",
            ),
            Option("about 966", "Yes: the drift alone is 859, and basic composition charges 500.", right=True),
        ),
        why=r"The drift is a bound on the mean loss. $\varepsilon(e^{\varepsilon} - 1)$ exceeds $\varepsilon$ itself "
        r"as soon as $\varepsilon > \ln 2 \approx 0.69$, and then no number of answers helps. With the largest mean "
        r"that an answer can have, $\varepsilon \tanh(\varepsilon/2)$, the same proof gives 338; the exact optimum is "
        "312.",
        minutes=3,
        mistake="“Advanced is smaller”: they remember √k and forget the drift.",
    ),
    # ------------------------------------------------------------------------------------------ self-check
    Choice(
        id="1.s1",
        text="A histogram of 30 bars is published, with Laplace noise of scale 1 on every bar; each patient is in "
        r"exactly one bar. If neighbours differ by the *removal* of one patient, it is $\varepsilon = 1$. What is it "
        "if neighbours differ by the *replacement* of one patient by another?",
        options=(
            Option(
                r"$\varepsilon = 0$: the number of patients stays the same",
                "The sum of all bars stays the same. Single bars change, and every bar is published.",
            ),
            Option(
                r"$\varepsilon = 1$: it is still one patient",
                "One patient, but two changes: the one who leaves and the one who comes.",
            ),
            Option(
                r"$\varepsilon = 2$",
                "Yes: one bar loses a patient, another one gains one, and the two losses add.",
                right=True,
            ),
            Option(
                r"$\varepsilon = 30$: every bar has its own noise",
                "Only bars that change can betray anything, and a replacement changes at most two of them.",
            ),
        ),
        why="What counts is the sum of all changes, the sensitivity: 1 for a removal, 2 for a replacement. A "
        "replacement is a removal and an addition. So the same noise has two different epsilons: always say who is a "
        "neighbour.",
        minutes=2,
        mistake="Neighbours by removal = neighbours by replacement.",
    ),
    Choice(
        id="1.s2",
        text="Ten answers. Each of them, independently, prints Alice's whole record with probability 0.1, and "
        r"otherwise nothing about her, so each is $(0, 0.1)$-DP. What is the smallest $\delta$ of all ten together, at "
        r"$\varepsilon = 0$?",
        options=(
            Option("0.1", "That is one answer. Each of the ten gives the record another chance to get out."),
            Option("about 0.35", "That is the probability that *nothing* is printed."),
            Option(
                "about 0.65",
                "Yes: $1 - 0.9^{10}$, the probability that the record is printed at least once.",
                right=True,
            ),
            Option(
                "1",
                "That is the sum, the union bound: valid, but a record that is printed twice is counted twice.",
            ),
        ),
        why=r"The record stays secret if all ten are silent, which has probability $0.9^{10} \approx 0.35$. Basic "
        "composition adds the deltas and arrives at 1. As soon as several deltas are positive, basic composition can "
        "be improved at no price.",
        minutes=2,
        mistake="The union bound is taken for the truth.",
    ),
    Choice(
        id="1.s3",
        text=r"The registry publishes 100 counts under a total of $\varepsilon = 1$ and $\delta = 10^{-6}$. Planned "
        "with the exact optimum, each count gets Laplace noise of scale 42. Now there are 400 counts, under the same "
        "total. Which scale do they need?",
        options=(
            Option("about 42", "That keeps the noise: then 400 answers would tell more than 100 of them did."),
            Option("about 84", "Yes: four times as many answers, twice the noise.", right=True),
            Option(
                "about 167",
                "That multiplies by 4, as basic composition does; the deviation of the loss grows with the root only.",
            ),
            Option("about 666", "That multiplies by 16. It is the *variance* of basic composition's noise that does."),
        ),
        why=r"Under basic composition each answer gets $\varepsilon/k$: noise grows like $k$. If a little $\delta$ is "
        r"forgiven, the loss is its mean, small when every answer is private, and a few deviations $\sqrt{k}\, "
        r"\varepsilon$: noise grows like $\sqrt{k}$.",
        minutes=2,
        mistake="They plan with k although δ has been paid for.",
    ),
    Number(
        id="1.s4",
        text=r"Suppose that $\varepsilon$ is so small that the drift can be neglected. Then advanced composition "
        r"charges $\varepsilon \sqrt{2 k \ln(1/\delta)}$. Take $\delta = 10^{-6}$. From how many answers $k$ on is "
        r"that less than $k \varepsilon$?",
        answer=28,
        within=0.7,
        unit="answers",
        right=r"Yes: $k > 2 \ln(1/\delta) \approx 27.6$, whatever $\varepsilon$ is.",
        slips=(
            Slip(14, r"That forgets the 2: $\ln 10^6 \approx 13.8$."),
            Slip(5.3, r"That is $\sqrt{27.6}$: square both sides before you divide by $k$."),
        ),
        otherwise=r"Square both sides: $2 k \ln(1/\delta) < k^2$, and $\ln 10^6 \approx 13.8$.",
        why=r"$\varepsilon \sqrt{2 k \ln(1/\delta)} < k \varepsilon$ means $k > 2 \ln(1/\delta)$, where $\varepsilon$ "
        "has gone. So for a handful of answers basic composition is better, however private they are.",
        minutes=2,
        mistake="They expect that advanced composition pays from the second answer on.",
    ),
    Choice(
        id="1.s5",
        text=r"One answer has $\varepsilon = 1$, and 400 others have $\varepsilon = 0.05$ each. With $\delta = "
        "10^{-6}$ the 400 cost 4.86, exactly; the one costs 1. What do all of them cost together, exactly?",
        options=(
            Option("4.86", "That drops the one. Mostly its loss is the largest one, so it has to be paid."),
            Option("4.96", "That adds squares, as for independent deviations. A single answer has to be paid in full."),
            Option(
                "5.79", "Yes: almost the sum. What advanced composition saves, it saves on many answers.", right=True
            ),
            Option(
                "8.40",
                "That is KOV's closed form with all of them put into it: for one large answer a bad deal.",
            ),
        ),
        why=r"A single coin of $\varepsilon = 1$ has its largest loss with probability 0.73: there is nothing rare to "
        "forgive. Rare is that nearly all of many small losses point the same way. So spend advanced composition on "
        "the 400 and add the one.",
        minutes=3,
        mistake="They hope that one large answer drowns among many small ones.",
    ),
]
