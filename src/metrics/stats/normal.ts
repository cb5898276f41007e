/** Distribution functions that the tests need. */

/**
 * Two-sided tail of the standard normal distribution, P(|Z| >= |z|) = erfc(|z| / √2). The complementary error function by its
 * series below 2.5 and by its continued fraction (Abramowitz and Stegun 7.1.6 and 7.1.14) above; relative error below 1e-12.
 */
export function normalTails(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  if (x < 2.5) {
    // erf(x) = 2/√π · e^(-x²) · Σ 2^k x^(2k+1) / (1·3···(2k+1))
    let term = x;
    let sum = x;
    for (let k = 1; term > sum * 1e-17 && k < 200; k++) {
      term *= (2 * x * x) / (2 * k + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = 0;
  for (let k = 80; k > 0; k--) fraction = k / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}

/** P(X <= k) for X binomial with n trials of probability 1/2. Summed in logarithms, so that large n do not underflow. */
export function binomialHalfBelow(k: number, n: number): number {
  let log = -n * Math.LN2;
  let sum = 0;
  for (let i = 0; i <= Math.min(k, n); i++) {
    sum += Math.exp(log);
    log += Math.log((n - i) / (i + 1));
  }
  return Math.min(1, sum);
}
