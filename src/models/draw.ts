/** Choosing tokens from logits: the best one, or a draw by Gumbel-max in doubles from a counter-based generator. */
import { FIRST_TEXT, END, isPad } from '../world/codec';
import { hash32, uniform } from '../world/rng';

/** A row of logits inside a larger array. */
export interface Row {
  data: Float32Array;
  start: number;
  size: number;
}

/** A chosen token and the probability the model gives it (softmax of its raw logits, in doubles). */
export interface Choice {
  token: number;
  confidence: number;
}

/** Never an answer of any model: `<mask>` and the tokens that open blocks and their parts. */
export function isBanned(token: number): boolean {
  return token < FIRST_TEXT && token !== END && !isPad(token);
}

/** Never an answer of an autoregressive model: pads fill windows, which it has none of. */
export function isBannedInText(token: number): boolean {
  return token < FIRST_TEXT && token !== END;
}

/** Softmax probability of one token, with `allowed` tokens only. */
function probability(row: Row, token: number, top: number, allowed: (token: number) => boolean): number {
  let total = 0;
  for (let i = 0; i < row.size; i++) if (allowed(i)) total += Math.exp((row.data[row.start + i] as number) - top);
  return Math.exp((row.data[row.start + token] as number) - top) / total;
}

/** The best token of a row and what diffusion samplers order places by, over the tokens that may stand there. */
export interface Statistics {
  best: number;
  confidence: number;
  /** Lead over the second. */
  margin: number;
  /** In nats. */
  entropy: number;
}

/** The statistics that the MDLM's graph gives, computed from logits: for rows that the graph has not seen. */
export function statistics(row: Row, banned: (token: number) => boolean): Statistics {
  const logit = (i: number) => row.data[row.start + i] as number;
  const best = argmax(row.size, (i) => (banned(i) ? -Infinity : logit(i)));
  let [total, mean, second] = [0, 0, 0];
  for (let i = 0; i < row.size; i++) {
    if (banned(i)) continue;
    const z = logit(i) - logit(best);
    const weight = Math.exp(z);
    total += weight;
    mean += weight * z;
    if (i !== best && weight > second) second = weight;
  }
  return { best, confidence: 1 / total, margin: (1 - second) / total, entropy: Math.log(total) - mean / total };
}

/** The token with the largest logit; the first of equals. */
export function greedy(row: Row, banned: (token: number) => boolean): Choice {
  const allowed = (token: number) => !banned(token);
  const token = argmax(row.size, (i) => (allowed(i) ? (row.data[row.start + i] as number) : -Infinity));
  return { token, confidence: probability(row, token, row.data[row.start + token] as number, allowed) };
}

function argmax(size: number, value: (i: number) => number): number {
  let best = 0;
  let most = -Infinity;
  for (let i = 0; i < size; i++) {
    const v = value(i);
    if (v > most) {
      most = v;
      best = i;
    }
  }
  return best;
}

/**
 * Tokens that nucleus sampling keeps (Holtzman et al. 2020, as in Hugging Face's TopPLogitsWarper): from the most probable
 * on, those before which less than `topP` has been collected, so the one that crosses the mark stays.
 * @param probabilities need not be sorted; their sum is 1
 */
export function nucleus(probabilities: ArrayLike<number>, topP: number): Set<number> {
  // All tokens this improbable have together less than the mass that may be left out, so none of them crosses the mark.
  const least = (1 - topP) / (2 * probabilities.length);
  const order: number[] = [];
  for (let i = 0; i < probabilities.length; i++) if ((probabilities[i] as number) >= least) order.push(i);
  order.sort((a, b) => (probabilities[b] as number) - (probabilities[a] as number) || a - b);
  const kept = new Set<number>();
  let mass = 0;
  for (const i of order) {
    if (kept.size > 0 && mass >= topP) break;
    kept.add(i);
    mass += probabilities[i] as number;
  }
  return kept;
}

/**
 * Draws from softmax(logits / temperature), cut by min-p and then to the nucleus: argmax of logit + temperature * Gumbel
 * noise, all in doubles. The noise of a token is keyed by (`key`, token), so it depends on nothing else.
 * @param temperature above 0
 * @param key of the place, or its noise where it was made before
 * @param minP tokens below this share of the best one's probability are left out, before the temperature as in koboldcpp
 */
export function draw(
  row: Row,
  temperature: number,
  topP: number,
  key: readonly number[] | Float64Array,
  banned: (token: number) => boolean,
  minP = 0,
): Choice {
  const possible = (token: number) => !banned(token);
  const best = argmax(row.size, (i) => (possible(i) ? (row.data[row.start + i] as number) : -Infinity));
  const top = row.data[row.start + best] as number;
  const allowed =
    minP > 0
      ? (token: number) => possible(token) && Math.exp((row.data[row.start + token] as number) - top) >= minP
      : possible;
  const kept = topP < 1 ? nucleus(tempered(row, temperature, top, allowed), topP) : null;
  const made = key instanceof Float64Array ? key : null;
  const place = made ? 0 : hash32(...key);
  const noise = (i: number) => (made ? (made[i] as number) : gumbel(uniform(place, i)));
  const noisy = (i: number) => (row.data[row.start + i] as number) + temperature * noise(i);
  let token = best;
  let most = noisy(best);
  for (let i = 0; i < row.size; i++) {
    if (i === best || !allowed(i) || (kept && !kept.has(i))) continue;
    if (!made) {
      // Most tokens are out of reach already by the first half of their noise's bits, which is most of the cost.
      const reach = temperature * gumbel(((hash32(place, i, 1) >>> 6) + 1) / 2 ** 26);
      if ((row.data[row.start + i] as number) + reach < most) continue;
    }
    const value = noisy(i);
    if (value > most || (value === most && i < token)) {
      most = value;
      token = i;
    }
  }
  return { token, confidence: probability(row, token, top, possible) };
}

/** The noise of all tokens at a place, for places that are drawn at again and again. */
export function noiseOf(key: readonly number[], size: number): Float64Array {
  const place = hash32(...key);
  return Float64Array.from({ length: size }, (_, i) => gumbel(uniform(place, i)));
}

/** Standard Gumbel variate of a uniform one. */
export function gumbel(u: number): number {
  return -Math.log(-Math.log(u));
}

function tempered(row: Row, temperature: number, top: number, allowed: (token: number) => boolean): Float64Array {
  const out = new Float64Array(row.size);
  let total = 0;
  for (let i = 0; i < row.size; i++) {
    if (!allowed(i)) continue;
    out[i] = Math.exp(((row.data[row.start + i] as number) - top) / temperature);
    total += out[i] as number;
  }
  return out.map((value) => value / total);
}
