"""What the ledger must hold: the ids of all claims of the five sources and of this kit, by source and verdict."""

VERDICTS = {
    "STK": {
        "definition": """
            STK-Def-Composition
        """,
        "holds": """
            STK-Basic STK-Basic-Proof STK-Basic-Approx STK-Laplace-Single STK-Laplace-Vector
            STK-NoiseScale STK-BasicOptimal STK-L1 STK-Rare STK-HighProb STK-PureLimit STK-AdvComp
            STK-Norms STK-Neither STK-Rho STK-Asymptotics STK-Fn-1 STK-Fn-2
        """,
        "corrected": """
            STK-Rare-General
        """,
        "misprint": """
            STK-Typo-Rd
        """,
    },
    "KOV": {
        "definition": """
            KOV-Def-1.1 KOV-Def-Errors KOV-Eq-3 KOV-Def-RM KOV-Def-Dominates KOV-Def-Experiment
            KOV-Def-Sensitivity KOV-Eq-9 KOV-Geometric
        """,
        "holds": """
            KOV-Intro-Basic KOV-Intro-StrictImprovement KOV-Thm-2.1 KOV-Eq-1 KOV-Rem-2.2 KOV-Cor-2.3 KOV-Thm-2.4
            KOV-Sec2-WZ KOV-Thm-2.5 KOV-Thm-3.1 KOV-Sec3.1-HetBasic KOV-Thm-3.2 KOV-Eq-4 KOV-Thm-3.3
            KOV-Eq-5 KOV-Eq-6 KOV-Thm-3.3-Tight KOV-Thm-3.3-Dominant KOV-Fig-3a KOV-Fig-3b KOV-Thm-3.4
            KOV-Eq-7 KOV-Thm-3.5 KOV-Eq-8 KOV-Sec3.3-Replace KOV-Cor-4.1 KOV-Laplace KOV-Cor-4.2
            KOV-Fn-1 KOV-Sec4.3-Cited
        """,
        "corrected": """
            KOV-Intro-Regime KOV-Eq-2 KOV-Fig-1 KOV-Sec3.1-OrderRemark KOV-Fig-2 KOV-Sec3.2-DeltaStrict
            KOV-Thm-3.4-Simplified KOV-Sec4-Recipe KOV-Thm-4.4
        """,
        "misprint": """
            KOV-Thm-3.3-Region KOV-Sec3.2-Order KOV-Sec4.1-Derivation KOV-Gauss-FromCor
        """,
        "false": """
            KOV-Sec3.1-BasicTight KOV-Gauss-Single KOV-Thm-4.3
        """,
        "asymptotic": """
            KOV-Intro-OldOrder KOV-Intro-NewOrder KOV-Sec3.2-Slack KOV-Staircase-Var KOV-Staircase-Comp
            KOV-Gauss-Prior KOV-Sec4.1-SameVariance KOV-Thm-4.3-Gain KOV-Eq-10 KOV-Eq-11
            KOV-Sec4.2-Variance
        """,
    },
    "HBW": {
        "definition": """
            HBW-Sec2-Neighbours HBW-Def-1 HBW-Alg-1 HBW-Sec3-Hb HBW-Alg-2 HBW-Def-3 HBW-Eq-1 HBW-Eq-2
            HBW-Rem-Restrict HBW-Def-4 HBW-Def-5
        """,
        "holds": """
            HBW-Ex-I HBW-Fn-1 HBW-Bg-Simple HBW-Bg-Advanced HBW-Ex-III-1 HBW-Ex-III-2 HBW-Ex-III-3
            HBW-Rem-Special HBW-Ex-V-A-2 HBW-VA-Multi HBW-VA-General-Restaurants HBW-Thm-2 HBW-Thm-2-ext
            HBW-VA1-Merge HBW-VB-MaxP HBW-VB-Ex-delta HBW-Eq-3 HBW-Eq-4 HBW-VB-Half HBW-VB-WLOG-Empty
            HBW-VB-Subsample HBW-VB-SubsampleIneq HBW-Cor-7 HBW-Eq-5 HBW-Eq-6 HBW-Cor-7-eps HBW-Sec6
            HBW-AppA HBW-AppB-HDPtoDP HBW-AppB-Induction HBW-X-1 HBW-X-2 HBW-X-3 HBW-X-4 HBW-X-5 HBW-X-6
            HBW-X-7 HBW-X-8 HBW-X-9 HBW-X-10
        """,
        "corrected": """
            HBW-Def-2 HBW-Bg-Optimal HBW-Sec4-WLOG HBW-Rem-Bayes HBW-Not-CompGuarantee HBW-Ex-V-A-1u
            HBW-Ex-V-A-1b HBW-Ex-V-A-3b HBW-VA-General-Store HBW-VA1-Comparison HBW-VB-Ex-U HBW-Alg-3
            HBW-AppC
        """,
        "misprint": """
            HBW-VA1-Misprint HBW-AppB-Chain HBW-AppB-Final HBW-AppC-Misprints
        """,
        "false": """
            HBW-Ex-V-A-3u HBW-VB-Recipe HBW-VB-Coincide HBW-Thm-3 HBW-Cor-6 HBW-AppB-Cases
        """,
        "proof gap": """
            HBW-Thm-1 HBW-Thm-1-sketch
        """,
    },
    "LPR": {
        "definition": """
            LPR-Def-1 LPR-Def-2 LPR-Def-6 LPR-Def-8 LPR-Def-15 LPR-Def-20 LPR-Def-21 LPR-Alg-1
            LPR-Def-29 LPR-Alg-2 LPR-Def-30 LPR-Def-33 LPR-Def-35
        """,
        "holds": """
            LPR-Thm-4 LPR-Rem-4 LPR-Ex-5 LPR-Lem-7 LPR-Thm-9 LPR-Thm-11 LPR-Thm-12 LPR-Cor-13 LPR-Cor-14
            LPR-Ex-18 LPR-Thm-22 LPR-Prop-23 LPR-Prop-24 LPR-Rem-25 LPR-Thm-27 LPR-Cor-28 LPR-Thm-36
            LPR-Thm-37 LPR-Thm-38 LPR-Ext-thm4-delta LPR-Ext-thm9 LPR-Ext-bigworld LPR-Ext-sensitivity
            LPR-Ext-traps
        """,
        "corrected": """
            LPR-Ex-3 LPR-Ex-5-props LPR-Lem-10 LPR-App-Census LPR-App-BigWorld LPR-Rem-19 LPR-Thm-31
        """,
        "misprint": """
            LPR-Thm-16 LPR-Thm-32 LPR-Def-34 LPR-Errata-Refs
        """,
        "false": """
            LPR-Prose-Weaker LPR-App-Census-prose
        """,
        "proof gap": """
            LPR-Thm-17 LPR-Thm-26 LPR-Lem-39
        """,
    },
    "GMPS": {
        "definition": """
            GMPS-Conv GMPS-Def-II.1 GMPS-Def-II.3 GMPS-Def-II.4 GMPS-Def-III.1 GMPS-Def-III.2
            GMPS-Def-III.5 GMPS-Def-commute GMPS-Def-IV.8 GMPS-Def-VI.1 GMPS-Def-VI.2 GMPS-Def-bracket
            GMPS-Def-VI.9 GMPS-Def-VI.10 GMPS-Def-VI.11 GMPS-Def-VI.17 GMPS-Def-VI.18 GMPS-Def-VI.19
        """,
        "holds": """
            GMPS-Prop-II.2 GMPS-Thm-II.5 GMPS-Thm-II.7 GMPS-Thm-II.8 GMPS-Text-canonical GMPS-Text-dU
            GMPS-Text-noncanonical GMPS-Text-A.2 GMPS-Ex-III.4 GMPS-Text-B-connected GMPS-Text-order
            GMPS-Text-dist GMPS-Text-dist-UB GMPS-Text-dist-BU GMPS-Text-FL GMPS-Text-sens-nb
            GMPS-Thm-IV.1 GMPS-Thm-IV.3 GMPS-Text-seq-G GMPS-Ex-IV.4 GMPS-Text-commute GMPS-Thm-IV.6
            GMPS-Text-dp-general GMPS-Text-A.5 GMPS-Ex-IV.7 GMPS-Prop-IV.10 GMPS-Foot-7 GMPS-Thm-IV.11
            GMPS-Text-IV.11-level GMPS-Text-IV.13-pointwise GMPS-Thm-V.2 GMPS-Text-V-no-gain
            GMPS-Thm-V.4 GMPS-Thm-V.5 GMPS-Text-d13 GMPS-Thm-VI.6 GMPS-Text-Dinf GMPS-Text-zCDP-group
            GMPS-Thm-VI.13 GMPS-Thm-VI.15 GMPS-Thm-VI.16 GMPS-Text-Gmu GMPS-Thm-VI.20 GMPS-Thm-VI.21
            GMPS-Thm-VI.22 GMPS-Thm-VI.24 GMPS-Thm-VI.26 GMPS-Thm-VII.1 GMPS-Thm-VII.2
            GMPS-Text-VII.3-converse GMPS-X-realisation GMPS-X-closure
            GMPS-X-bounded-analogues GMPS-X-granularities GMPS-X-notions GMPS-X-pointwise GMPS-X-model
        """,
        "corrected": """
            GMPS-Thm-II.6 GMPS-Ex-II.9 GMPS-Thm-III.3 GMPS-Prop-III.6 GMPS-Rem-III.7 GMPS-Prop-III.8
            GMPS-Ex-IV.2 GMPS-Text-Ip GMPS-Cor-IV.13 GMPS-Ex-IV.14 GMPS-Thm-VI.3 GMPS-Text-derive-all
            GMPS-Text-IV.12-from-IV.6 GMPS-Ex-VI.8 GMPS-Text-weak-triangle GMPS-Ex-VI.25
        """,
        "misprint": """
            GMPS-Foot-3 GMPS-Text-Delta-id GMPS-Def-partition GMPS-Ex-IV.5 GMPS-Def-compat GMPS-Ex-IV.9
            GMPS-Def-V.1 GMPS-Thm-V.3 GMPS-Text-more-than-13 GMPS-Thm-VI.4 GMPS-Thm-VI.5 GMPS-Thm-VI.12
            GMPS-Thm-VI.14 GMPS-Text-VI.15-di GMPS-Text-Ginf GMPS-Thm-VI.23 GMPS-Thm-VII.3 GMPS-Tab-I
        """,
        "false": """
            GMPS-Text-diam GMPS-Text-compat-eq GMPS-Text-min-accurate GMPS-Eq-IV.1
            GMPS-Cor-IV.15 GMPS-Thm-VI.7 GMPS-Text-VI.24-eq
            GMPS-Text-VI.C-compat
        """,
        "proof gap": """
            GMPS-Thm-IV.12 GMPS-Thm-V.6
        """,
        "reconstruction": """
            GMPS-Fig-1
        """,
    },
    "X": {
        "holds": """
            X-Orderings X-Sharper X-Algorithm
        """,
    },
}
