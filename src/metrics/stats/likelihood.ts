/**
 * How likely a model finds an answer. An autoregressive model gives the likelihood itself, a masked diffusion model an upper bound
 * of its negative logarithm: never compare the two as if they were one.
 */

/** Perplexity exp(Σ NLL / N) of N tokens, from the negative log-likelihood of each in nats; null of none. */
export function perplexity(nll: readonly number[]): number | null {
  return nll.length === 0 ? null : Math.exp(nll.reduce((sum, x) => sum + x, 0) / nll.length);
}

/** One draw of a masked evaluation: how many places were masked, and Σ over them of -ln p of the true token. */
export interface MaskedDraw {
  masked: number;
  nll: number;
}

export interface Bound {
  /** Bound on the negative log-likelihood of the whole answer in nats, and its Monte-Carlo standard error. */
  nats: number;
  standardError: number | null;
  /** exp(nats / length): a bound on the perplexity. */
  perplexity: number;
  draws: number;
}

/**
 * Bound of a masked diffusion model on the negative log-likelihood of `length` answer tokens: the mean over draws of (L/k)·Σ -ln p,
 * where exactly k places are masked and k is uniform on 1..L (LLaDA, get_log_likelihood). Take k in strata and masks in
 * complementary pairs: the variance is what costs.
 */
export function maskedBound(draws: readonly MaskedDraw[], length: number): Bound | null {
  if (draws.length === 0 || length === 0) return null;
  const values = draws.map(({ masked, nll }) => (length / masked) * nll);
  const nats = values.reduce((sum, x) => sum + x, 0) / values.length;
  const spread = values.reduce((sum, x) => sum + (x - nats) ** 2, 0);
  const n = values.length;
  return {
    nats,
    standardError: n < 2 ? null : Math.sqrt(spread / (n - 1) / n),
    perplexity: Math.exp(nats / length),
    draws: n,
  };
}
