"""The questions of lecture 3: what if only some answers are about you? tests/questions computes all their numbers."""

from .kinds import Choice, Number, Option, Slip

QUESTIONS = [
    Choice(
        id="3.1",
        text="The registry's report by town has 100 counts. Each of five conditions is counted in all towns together "
        "and in each of three towns, and there for any age and for each of four age groups. In how many of the counts "
        "can one patient be?",
        options=(
            Option(
                "in 5 at most, one for each condition",
                "That forgets the totals: who is counted in her town and age group is counted in the sums as well.",
            ),
            Option(
                "in 10 at most",
                "That counts a town and its total, or an age group and its total. There are both at once.",
            ),
            Option(
                "in 20 at most",
                r"Yes: five conditions, her town or all towns, her age group or any age, $5 \cdot 2 \cdot 2$.",
                right=True,
            ),
            Option("in all 100", "Nobody lives in three towns, and nobody is of all ages."),
        ),
        why=r"A patient has one town and one age, so for each condition there are $2 \cdot 2$ counts that can hold "
        "her, and five conditions. Lecture 1 planned the noise as if she could be in all 100.",
        minutes=2,
        mistake="They plan for all k answers because there are k answers.",
    ),
    Choice(
        id="3.2",
        text="In one round the adversary submits *the same* database twice, so that the bit of this round selects "
        "nothing. What does the round cost?",
        options=(
            Option(
                "it is against the rules, since neighbours differ in exactly one person",
                "They differ in *at most* one person: a database is its own neighbour, and the promise for such a "
                "pair is the easiest one to keep.",
            ),
            Option(
                r"its $\varepsilon_i$, like every other round",
                r"$\varepsilon_i$ bounds the worst pair of neighbours. For this pair the two laws are equal.",
            ),
            Option(
                "nothing, since its answer has the same law for both bits",
                "Yes: whatever came before, such an answer is equally likely under both bits.",
                right=True,
            ),
            Option(
                "less than nothing, since an empty answer dilutes the others",
                "An answer never takes back what the others tell: the adversary can ignore it.",
            ),
        ),
        why="Given all earlier answers, the answer of this round has one and the same law under both bits, so it "
        "cancels in every ratio. That makes equal databases useful in proofs: they are how an adversary waits.",
        minutes=2,
        mistake="They read “neighbours” as “different databases”, and a guarantee as a price that is always paid.",
    ),
    Choice(
        id="3.3",
        text="Two police files; each answer tells the truth about Alice 3 times out of 4. Compare *nowhere*, the "
        "vector 00, with *somewhere*: 01, 10 and 11 are equally likely. How many times likelier can one of the two "
        "make what you see than the other?",
        options=(
            Option("3 times", "That is one file. If both say yes, both speak for *somewhere*."),
            Option(
                r"$27/7 \approx 3.86$ times",
                "That is *nowhere* against *somewhere*, after two times no. The other direction is larger.",
            ),
            Option("5 times", "Yes: after two times yes, 5/16 against 1/16.", right=True),
            Option("9 times", "That is 11 against 00. *Somewhere* is a mixture, and 11 only a third of it."),
        ),
        why="After two times yes, 01 and 10 give 3/16 each and 11 gives 9/16: on average 5/16, against 1/16 for 00. "
        "A mixture is told apart less well than its worst vector, and the two directions differ.",
        minutes=3,
        mistake="They take the worst vector of a hypothesis for the hypothesis.",
    ),
    Choice(
        id="3.4",
        text=r"Three answers, with $e^{\varepsilon}$ of 2, 3 and 3/2, are to promise $e^{\varepsilon} = 2$ together. "
        r"Which question of an adversary needs the largest $\delta$?",
        options=(
            Option(
                "000 or 110? The weakest answer is only in the way",
                r"An adversary can ignore an answer, so a further bit that differs never harms her: $\delta$ is 1/3 "
                "here, and more if all three differ.",
            ),
            Option(
                "fewer than two ones, or at least two? There is more to tell apart",
                r"Mixtures blur: here $\delta$ is only 1/16.",
            ),
            Option(
                "000 or 111, and no other comes near",
                r"It has the largest $\delta$, 7/20, but not alone: look for other vectors that differ everywhere.",
            ),
            Option(
                "000 or 111, and just as much 010 or 101",
                r"Yes: all vectors that differ everywhere have the same $\delta$, 7/20, and no others have more.",
                right=True,
            ),
        ),
        why="Where two vectors differ, a round tells something, and it does not matter which of the two has the one. "
        "Vectors that differ everywhere are called complementary; 000 and 111 are one such pair.",
        minutes=3,
        mistake="They expect that one of the many new questions is easier than “all or nothing”.",
    ),
    Choice(
        id="3.5",
        text="An adversary has fixed what she submits. Round 1 has the law $C = (1/2, 1/2)$ for the bit 0 and "
        "$D = (1/6, 5/6)$ for the bit 1; round 2 has $D$ for the bit 0 and $C$ for the bit 1. So 00 and 11 are told "
        "apart with a ratio of 5 at most. And 01 and 10?",
        options=(
            Option(
                r"$25/9 \approx 2.78$",
                "That is 10 against 01. The other direction is larger, and both count.",
            ),
            Option(
                "5, because complementary vectors are all equally bad",
                "They are for the worst mechanisms. This adversary has chosen others, and an order that spoils 00 "
                "against 11.",
            ),
            Option("9", r"Yes: 01 means $C$ twice, 10 means $D$ twice, and $C/D$ is 3 in each round.", right=True),
            Option("25", "That squares the 5, which is the ratio of both rounds together already."),
        ),
        why=r"$C/D$ is at most 3 and $D/C$ at most 5/3. Under 00 and 11 one round has the first and the other one the "
        r"second, $3 \cdot 5/3 = 5$; under 01 and 10 both have the same, $3 \cdot 3$. Had she submitted the second "
        "pair in the other order, 00 and 11 would have shown the 9.",
        minutes=3,
        mistake="They apply a theorem about all adversaries to one of them.",
    ),
    Choice(
        id="3.6",
        text=r"A thousand hospitals give one answer each, with $\varepsilon = 0.01$. At $\delta = 10^{-6}$ in total, "
        r"all 1000 cost $\varepsilon = 1.37$, exactly. Nobody spends nights in more than 365 hospitals a year. What "
        "does it cost to hide whether Alice was a patient at all?",
        options=(
            Option(
                "1.37, because nobody knows which 365 they are",
                "Whichever they are: in the other hospitals the answers have the same law with and without her.",
            ),
            Option(
                "about 0.50, that is 36.5% of it",
                r"That is too good: many small answers cost about the *root* of their number.",
            ),
            Option("3.65, that is 365 times 0.01", r"That is basic composition; a $\delta$ allows for less."),
            Option("about 0.79", "Yes: the exact composition of 365 answers instead of 1000.", right=True),
        ),
        why="The vector 00…0 and a vector with 365 ones differ in 365 rounds, and only those count. Mixtures of such "
        "vectors are no worse, so it does not matter who knows which ones they are.",
        minutes=3,
        mistake="They count all answers instead of those in which two hypotheses differ, or scale ε with their number.",
    ),
    Choice(
        id="3.7",
        text="In the registry one person is in 16 counts of the report, everybody else in 12 or fewer. The registry "
        r"computes the cap 16 from its table, plans Laplace noise with it for $\varepsilon = 1$ and "
        r"$\delta = 10^{-6}$, and publishes the counts and the scale of the noise. What does this promise to the one "
        "person?",
        options=(
            Option(
                r"$\varepsilon = 1$, as planned, because she keeps to the cap",
                "The noisy counts keep to that, for her. But she has changed the scale, and that is published too.",
            ),
            Option(
                "nothing, because without her another scale would have been published",
                "Yes: whoever sees the scale knows whether she is in the table.",
                right=True,
            ),
            Option(
                r"a little more than $\varepsilon = 1$, because 20 counts are possible",
                r"That is what a newcomer in 20 counts would lose in the counts, $\varepsilon = 1.15$. For her it is "
                "worse.",
            ),
            Option(
                r"less than $\varepsilon = 1$, because most patients are in fewer counts",
                "Privacy is not an average over patients: she is in 16, and the noise is planned for 16.",
            ),
        ),
        why="Without her the cap would be 12, and the scale 12.0 instead of 15.4. A cap that is computed from the "
        "data is an answer without noise. A cap from the design of the report, 20, depends on nobody.",
        minutes=3,
        mistake="They take a parameter of the mechanism for something that is not data.",
    ),
    Choice(
        id="3.8",
        text=r"Two answers with $e^{\varepsilon} = 3$. The first hypothesis: 00 or 11, equally likely; the second: "
        "10 or 11, equally likely. A published recipe matches 11 with 11, a factor of 1, and 00 with 10, a factor "
        "of 3, and takes the average, 2. How large can the ratio really get?",
        options=(
            Option("3/2", "That is the view 01. Another view has a larger ratio."),
            Option(
                "2, as the recipe says",
                "That averages with the weights *before* the answers. The view 00 makes 11 improbable on both sides.",
            ),
            Option("5/2", "Yes: the view 00 has the probabilities 5/16 and 2/16.", right=True),
            Option("3", "That would be 00 against 10 alone. It is a bound, but 11 always keeps a part of the weight."),
        ),
        why="Under the first hypothesis the view 00 has the probability (9/16 + 1/16)/2, under the second one "
        "(3/16 + 1/16)/2. After that view nearly all weight is on 00 and 10, and the average over the matched pairs "
        "has other weights.",
        minutes=3,
        mistake="They average ratios with prior weights: the view changes the weights.",
    ),
    Choice(
        id="3.s1",
        text=r"One answer of the worst $(\ln 3, 0.1)$-DP mechanism. How large can its Bayes factor be?",
        options=(
            Option("3", r"That would be so for $\delta = 0$."),
            Option(
                "3.1, the factor plus δ",
                r"$\delta$ is added to a probability, not to a ratio of probabilities.",
            ),
            Option(r"$3/0.9 \approx 3.33$", "The rare case is not spread over the others: it gives everything away."),
            Option(
                "there is no bound: it can be infinite",
                "Yes: with probability 0.1 the answer is one that only one of the two hypotheses can give.",
                right=True,
            ),
        ),
        why=r"What $\delta$ bounds is a mean: how far the Bayes factor sticks out above $e^{\varepsilon}$, on average, "
        "where a factor of infinity counts as 1.",
        minutes=2,
        mistake="They add δ to the Bayes factor.",
    ),
    Number(
        id="3.s2",
        text="A country has 1000 hospitals, each of which gives one answer. Nobody is a patient in more than 200 of "
        "them. How many answers count for somebody who knows that Alice was a patient, and asks in which hospitals?",
        answer=400,
        within=2,
        unit="answers",
        right="Yes: the vectors of two patterns, with 200 ones each, can differ in so many places, and in no more.",
        slips=(
            Slip(200, "That is for *at all?*, the comparison with 00…0. Here both vectors have ones."),
            Slip(1000, "That is as if she could be in all of them."),
            Slip(800, "That is in how many hospitals she is not."),
        ),
        otherwise="In how many places can two vectors differ that have 200 ones each?",
        why="Two sets of 200 hospitals differ most if they have no hospital in common. If there were only 300 "
        "hospitals, they would differ in 300 at most.",
        minutes=2,
        mistake="They use the cap of *at all?* for a question that compares two patterns.",
    ),
    Choice(
        id="3.s3",
        text=r"A table of users: 4 columns that everybody fills, 2 that only free users fill, 3 that only paying users "
        r"fill. Every column answers one question with $\varepsilon = 0.6$. What does it cost, at $\delta = 0$, to "
        "hide whether somebody is a user at all?",
        options=(
            Option("3.0", "That is free against paying: it hides which kind of user somebody is."),
            Option("3.6", "That is a free user against nobody. A paying user fills more columns."),
            Option("4.2", "Yes: a paying user fills 7 columns, nobody fills none.", right=True),
            Option("5.4", "That counts all 9 columns, and no user fills them all."),
        ),
        why="Compare every possible row with the empty one: a free user differs from it in 6 columns, a paying user in "
        "7. The worst comparison counts.",
        minutes=2,
        mistake="They forget one of the comparisons, as the paper does.",
    ),
    Choice(
        id="3.s4",
        text=r"An answer has $e^{\varepsilon} = 4$. Now Alice's record is used only if a fair coin shows heads. How "
        "many times likelier can an output be *without* Alice than with her?",
        options=(
            Option("8/5 times", "Yes: even the least likely output keeps half of its probability.", right=True),
            Option("2 times", r"That halves the ratio. It is below 2 for every $\varepsilon$."),
            Option("5/2 times", "That is the other direction, with Alice against without her."),
            Option("4 times", "That is without the coin. If it shows tails, the record makes no difference."),
        ),
        why=r"With her the output has the probability $P' = (P + Q)/2 \ge (1/4 + 1)/2 \cdot Q = 5/8 \cdot Q$, so "
        "$Q/P'$ is at most 8/5. The two directions of subsampling differ.",
        minutes=2,
        mistake="They use the formula of one direction for both.",
    ),
    Choice(
        id="3.s5",
        text=r"Twenty files, $\varepsilon = 0.5$ each, $\delta = 0$. If all vectors but 00…0 are equally likely, "
        "*somewhere* costs 5.62. Somebody else also knows nothing, but finds all *numbers* of files from 1 to 20 "
        "equally likely. What is it now?",
        options=(
            Option("5.62 again: who knows nothing knows nothing", "There are many laws that sound like that."),
            Option(
                "5.25: an ε of 0.5 for each of 10.5 files",
                "That is the loss at the mean number; a few cases with many files dominate the mean of the ratios.",
            ),
            Option("7.94", "Yes: “in all of them” is now one case in twenty.", right=True),
            Option("10, the worst case", "That is for “in all of them” alone."),
        ),
        why="After twenty times yes a vector with $j$ ones is $e^{0.5 j}$ times likelier than 00…0. The mean of that "
        "depends on the law of $j$, and most on its largest values. A promise that rests on a prior is as good as the "
        "prior.",
        minutes=3,
        mistake="They believe that there is one law of ignorance.",
    ),
]
