package io.agentprm.env.webshop.reward;

/** Which library stands behind the fuzzy comparison of texts in the original. */
public enum Similarity {
    /** Python's difflib, which a plain installation of the original uses. */
    DIFFLIB,
    /** python-Levenshtein or rapidfuzz: twice the longest common subsequence over both lengths. */
    LEVENSHTEIN
}
