/** Tokens of plain text as the reference implementations of BLEU and ROUGE cut them. */

/**
 * The tokenizer `13a` of mteval-v13a as sacrebleu 2 applies it, case kept: `<skipped>` goes, words broken over lines are
 * joined, four entities are read, punctuation stands alone (`.` and `,` unless between digits, `-` only behind a digit).
 * It parts `_`, `"` and `{` as well, so JSON becomes mostly punctuation.
 */
export function tokenize13a(text: string): string[] {
  const plain = text
    .replaceAll('<skipped>', '')
    .replaceAll('-\n', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  return ` ${plain} `
    .replace(/([{-~[-` -&(-+:-@/])/g, ' $1 ')
    .replace(/([^0-9])([.,])/g, '$1 $2 ')
    .replace(/([.,])([^0-9])/g, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ')
    .split(/\s+/)
    .filter((token) => token !== '');
}

/** Tokens of rouge-score without stemmer: lower case, everything but `a-z` and `0-9` parts. */
export function tokenizeRouge(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((token) => token !== '');
}

/** Counts of the n-grams of a list of tokens; tokens hold no spaces, so a space joins them. */
export function ngrams(tokens: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i + n <= tokens.length; i++) {
    const gram = tokens.slice(i, i + n).join(' ');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}
