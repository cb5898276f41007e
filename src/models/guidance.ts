/** Classifier-free guidance: how far the directives of a turn move the model, made larger (Nie et al. 2024; Schiff et al. 2024). */
import type { Row } from './draw';

/**
 * Logits u + (scale + 1)(c - u) of one place: scale 0 is the conditional model. The same as log-probabilities weighted by
 * gamma = scale + 1, since what they differ by from logits is the same for all tokens.
 */
export function guided(conditional: Row, unconditional: Row, scale: number): Row {
  const { size } = conditional;
  const data = new Float32Array(size);
  for (let i = 0; i < size; i++) {
    const c = conditional.data[conditional.start + i] as number;
    const u = unconditional.data[unconditional.start + i] as number;
    data[i] = u + (scale + 1) * (c - u);
  }
  return { data, start: 0, size };
}
