"""The questions of lecture 5: who is your neighbour? tests/questions computes every number that they mention."""

from .kinds import Choice, Number, Option, Slip

QUESTIONS = [
    Choice(
        id="5.1",
        text=r"Firm U and firm B both promise $\varepsilon$-DP. For U, neighbours differ by a person who comes or "
        r"goes; for B they have equally many people, and the record of one person differs. A mechanism prints the "
        r"exact number of people, without noise. Whose promise does it keep?",
        options=(
            Option(
                "neither's: without noise there is no privacy",
                "Noise is a means. The promise asks only whether neighbours can be told apart.",
            ),
            Option(
                "only U's: one person is lost in the crowd",
                "A person who comes changes the number, and everybody sees it: the ratio is infinite.",
            ),
            Option(
                r"only B's, and even with $\varepsilon = 0$",
                "Yes: to change a record leaves the number as it is, so neighbours have the same output.",
                right=True,
            ),
            Option(
                "both: a total says nothing about a single person",
                "It does: whoever knows everybody else sees from the total whether Alice is there.",
            ),
        ),
        why=r"B's neighbours have the same size, so the output is the same: $\varepsilon = 0$. U's neighbours differ "
        r"in size, and no $\varepsilon$ is large enough. The words “$\varepsilon$-DP” mean nothing before it is said "
        r"who is whose neighbour.",
        minutes=2,
        mistake="They take noise for privacy, and believe that there is one definition of a neighbour.",
    ),
    Choice(
        id="5.2",
        text=r"A mechanism is 0.1-DP if neighbours differ by a person who comes or goes. One registry has two people "
        r"in therapy, `aa`, another has two who are not, `bb`. Every smaller registry is possible, too. Which "
        r"$\varepsilon$ is promised between these two?",
        options=(
            Option("0.1", "That is the promise for neighbours. These two are several steps apart."),
            Option(
                "0.2",
                "That counts changed people. Here a change takes two steps: somebody goes, somebody else comes.",
            ),
            Option("0.3", "That counts the databases between them. The steps between five databases are four."),
            Option("0.4", "Yes: two people go, two others come, and every step costs a factor $e^{0.1}$.", right=True),
        ),
        why=r"A shortest path is `aa`, `a`, $\emptyset$, `b`, `bb`. Along each of its four steps a probability changes "
        r"by a factor of at most $e^{0.1}$, so from end to end by at most $e^{0.4}$. A promise about neighbours is a "
        r"promise about every two databases that a path joins.",
        minutes=2,
        mistake="They think that a promise about neighbours says nothing about others, or count changes, not steps.",
    ),
    Choice(
        id="5.3",
        text=r"The registry publishes from its log of visits to therapists, and promises $\varepsilon = 0.02$ if one "
        r"*visit* comes or goes. Alice has 12 visits; nobody may have more than 53. Which $\varepsilon$, and no "
        r"smaller one, does that promise if a *person* comes or goes, with all visits?",
        options=(
            Option("0.02", "That protects one visit. The whole of somebody's visits is many steps away."),
            Option("0.24", "That is what Alice gets. The promise must hold for every person who may be in the log."),
            Option(
                "1.06", "Yes: the person with most visits is 53 steps away, and that is the worst case.", right=True
            ),
            Option(
                "2.12",
                "That would be for a person who is *replaced* by another one: 53 visits go and 53 come.",
            ),
        ),
        why=r"One step of the new kind takes at most 53 steps of the old kind, so the promise becomes $53 \cdot 0.02 = "
        r"1.06$. Alice herself is better off, with $12 \cdot 0.02 = 0.24$: distances know that, a single level does "
        r"not.",
        minutes=3,
        mistake="They believe that a promise for visits protects people.",
    ),
    Choice(
        id="5.4",
        text=r"Somebody demands that *nothing at all* can be learnt from the registry: any two databases of at most "
        r"1630 people are neighbours. It publishes the number of people in therapy, which is 85, with Laplace noise "
        r"and $\varepsilon = 0.25$. Which scale must the noise have?",
        options=(
            Option("4", r"That is $1/\varepsilon$, enough if one person comes or goes. Here everybody may."),
            Option("8", "That pays for two people who come or go. Here everybody may."),
            Option(
                "340", "That hides the 85 people of this very table. But neighbours may have all of theirs in therapy."
            ),
            Option("6520", "Yes: one step can change the count by 1630, so the sensitivity is 1630.", right=True),
        ),
        why=r"Noise of scale $\Delta/\varepsilon$ is needed, and $\Delta = 1630$ is the largest distance of two "
        r"counts. The noise is some 77 times as large as the count: who must hide everything cannot tell anything. "
        r"There is no free lunch (Kifer and Machanavajjhala).",
        minutes=2,
        mistake="They compute the sensitivity from the data at hand, or keep the sensitivity of other neighbours.",
    ),
    Choice(
        id="5.5",
        text=r"The registry publishes five noisy counts, one for each condition, each with $\varepsilon = 1$. A person "
        r"may have several conditions, but is counted with three of them at most. One person comes or goes. Which "
        r"$\varepsilon$ do the five counts promise together, and no smaller one holds?",
        options=(
            Option(
                "1", "That is the largest of them. But one person may be in three counts, and each of them loses 1."
            ),
            Option(
                "3", "Yes: the counts that do not see the person have the same input, and lose nothing.", right=True
            ),
            Option("5", "That is true, but it charges counts in which the person is not."),
            Option("6", "That doubles the three, as if a record *changed*. But five counts never lose more than 5."),
        ),
        why="Add up what each mechanism loses between *its own* inputs. Where the input is the same, that is 0; at "
        "most three inputs differ, by one step each. For a hundred conditions it would still be 3: between the maximum "
        "of parallel composition and the sum of sequential composition there is everything else.",
        minutes=3,
        mistake="They know two theorems only, the sum and the maximum.",
    ),
    Choice(
        id="5.6",
        text=r"Three towns publish how many of their patients are in therapy, each with fresh noise. If the record of "
        r"one person *changes* (the town, too, may change), the counts have $\varepsilon = 0.2$, $0.3$ and $0.4$. No "
        r"person lives in two towns. Which $\varepsilon$ do the three counts promise together, and no smaller one "
        r"holds?",
        options=(
            Option("0.3", "That is the mean. A loss is never averaged away."),
            Option(
                "0.4",
                "That is parallel composition: one record in one part. But a changed record may leave a part for "
                "another.",
            ),
            Option("0.7", "Yes: a changed record touches two towns at most, here the two dearest.", right=True),
            Option("0.9", "That is true, but one changed record cannot touch all three towns."),
        ),
        why=r"If somebody in therapy moves from the second town to the third, both counts change, and both may lose "
        r"all that they have, $0.3 + 0.4$. The first town sees what it saw before. So it is the maximum over *pairs*, "
        r"$\max_{i \ne j} (\varepsilon_i + \varepsilon_j)$.",
        minutes=3,
        mistake="Parallel composition for bounded neighbours: disjoint parts, hence the maximum.",
    ),
    Choice(
        id="5.7",
        text=r"One visit to the therapist is protected with $\varepsilon = 1$ and $\delta = 10^{-5}$. Alice has 12 "
        r"visits. Chain the promise from visit to visit: which $\delta$ does it leave for her, at $\varepsilon = 12$?",
        options=(
            Option("0.00001", "That is the promise for one visit. Twelve steps leave more."),
            Option(
                "0.00012",
                r"That adds the deltas. But each of them is multiplied by the factors $e^{\varepsilon}$ of the steps "
                r"before.",
            ),
            Option("0.60", r"That is the largest of the terms, $10^{-5} e^{11}$; the other eleven are missing."),
            Option("0.95", "Yes: the terms grow like a geometric series, and its sum is almost 1.", right=True),
        ),
        why=r"$\delta (1 + e + \dots + e^{11}) = 10^{-5} \frac{e^{12} - 1}{e - 1} \approx 0.95$. One more visit, and "
        r"the bound exceeds 1: it says nothing. (It is a bound. The worst mechanism really has $\delta = 0.76$ at 12 "
        r"steps.)",
        minutes=3,
        mistake="Deltas add up, and so do epsilons.",
    ),
    Choice(
        id="5.8",
        text=r"Two towns publish counts with Gaussian noise, $\mu = 0.3$ in one town and $\mu = 0.4$ in the other, if "
        r"a person comes or goes. Now *two* people come, one to each town. Which $\mu$ do both counts together have "
        r"between these two databases?",
        options=(
            Option("0.4", "That is for one person, who comes to one town. Here both counts change."),
            Option("0.5", r"Yes: $\sqrt{0.3^2 + 0.4^2}$, the length of the shift of the two counts.", right=True),
            Option("0.7", r"That adds, as one adds $\varepsilon$. Independent Gaussian shifts are at right angles."),
            Option("0.8", "That takes the level, 0.4, two times: as if both people had come to the dearer town."),
        ),
        why="The noise of the two counts, in units of its deviation, looks the same in all directions. So only the "
        "length of the shift counts, and by Pythagoras that is 0.5. Whoever keeps only the level 0.4 must charge 0.8 "
        "for two steps: the composition theorem remembers that they were in different towns.",
        minutes=3,
        mistake="Levels are multiplied by the distance, where the distances should be added up first.",
    ),
    Choice(
        id="5.s1",
        text="A survey has exactly 1000 answers, by contract. A vendor advertises for it “0-DP: nobody can see whether "
        "a person was added or removed”. What is that worth?",
        options=(
            Option("it is the best promise that there is", "The number is. But ask which databases it compares."),
            Option(
                "nothing: of 1000 answers none can be added or removed",
                "Yes: no two possible databases are neighbours, so every mechanism keeps the promise.",
                right=True,
            ),
            Option("it is impossible: that would need infinite noise", "Not where there are no neighbours to compare."),
            Option(
                "as much as 0-DP for a changed answer",
                "That promise would compare possible databases. This one compares none.",
            ),
        ),
        why="Even the mechanism that prints the whole survey keeps this promise: it is vacuous. Ask which neighbours "
        "are meant, and whether there are any in the class of databases that can occur.",
        minutes=2,
        mistake="They look at the number and not at the neighbours.",
    ),
    Number(
        id="5.s2",
        text=r"Four districts publish noisy counts of their own patients. For one *changed* record they have "
        r"$\varepsilon = 0.5$, 0.2, 0.35 and 0.1. Which is the smallest $\varepsilon$ that all of them promise "
        r"together for one changed record?",
        answer=0.85,
        within=0.005,
        unit="",
        right="Yes: the two largest, 0.5 and 0.35.",
        slips=(
            Slip(0.5, "That is the maximum. A changed record may leave one district and enter another."),
            Slip(1.15, "That is the sum of all four. One changed record touches two of them at most."),
            Slip(1.0, "That is twice the largest. The two districts are different ones."),
        ),
        otherwise="How many districts can one changed record touch, and which of them cost most?",
        why=r"$\max_{i \ne j}(\varepsilon_i + \varepsilon_j) = 0.5 + 0.35$.",
        minutes=2,
        mistake="The maximum of parallel composition, or the sum of all.",
    ),
    Number(
        id="5.s3",
        text=r"A mechanism is $(\ln 3, 10^{-6})$-DP for neighbours. Between databases that are two steps apart, and "
        r"with $2 \ln 3$ for $\varepsilon$, the promise leaves a $\delta$. How many times $10^{-6}$ is it?",
        answer=4,
        within=0.01,
        unit="",
        right=r"Yes: $1 + e^{\ln 3} = 1 + 3$.",
        slips=(
            Slip(2, r"That adds the two deltas; one of them is multiplied by $e^{\varepsilon} = 3$."),
            Slip(6, r"That multiplies both deltas by $e^{\varepsilon}$. The first of them has no factor."),
            Slip(1, "That is the promise for one step."),
        ),
        otherwise=r"Write the inequality down two times: $P \le 3 Q + \delta$, and $Q \le 3 R + \delta$.",
        why=r"$P \le 3 Q + \delta \le 3 (3 R + \delta) + \delta = 9 R + 4 \delta$. Some mechanism attains it.",
        minutes=2,
        mistake="Deltas are added without their factors.",
    ),
    Choice(
        id="5.s4",
        text=r"Nine answers are 0.5-GDP each ($\mu = 0.5$) if a person comes or goes. First all nine look at the whole "
        r"database; later each looks at another one of nine districts. The level of all of them together is first $\mu "
        r"= 1.5$. And later?",
        options=(
            Option("0.5", "Yes: a person is in one district, and the other eight answers see nothing.", right=True),
            Option("0.17", "That divides by the root of nine once more. Nothing makes a single answer better."),
            Option("1.5", "That charges the eight answers that see no change."),
            Option("4.5", "That adds all nine; not even on the whole database is it so much."),
        ),
        why=r"On the whole database the squares add up: $\sqrt{9 \cdot 0.5^2} = 1.5$. In districts one step moves one "
        r"answer only. Two people in two districts would cost $0.5 \sqrt{2}$.",
        minutes=2,
        mistake="They count how many answers there are, not how many one step touches.",
    ),
    Choice(
        id="5.s5",
        text=r"A network of 30 people is published with $\varepsilon = 0.1$ for a single friendship that comes or "
        r"goes. Which $\varepsilon$, and no smaller one, does that promise to a *person*, if one step may change all "
        r"friendships of one person?",
        options=(
            Option("0.1", "That protects one friendship. A person may have many."),
            Option("2.9", "Yes: a person can have 29 friendships, and all of them may change.", right=True),
            Option("43.5", "That changes all 435 friendships that are possible. One person has 29 of them at most."),
            Option("5.8", "That counts every friendship at both of its ends."),
        ),
        why=r"One step of a person takes at most 29 steps of a friendship, so it is $29 \cdot 0.1$. Edge privacy and "
        r"node privacy are two granularities on the same graphs.",
        minutes=2,
        mistake="They take a promise about records for one about people.",
    ),
]
