/** Bounds of the page's numbers, for the link and for its inputs alike, and the choices of a runtime's provider. */

export const PROVIDERS = ['auto', 'webgpu', 'wasm'] as const;
export type ProviderChoice = (typeof PROVIDERS)[number];

/** A step of 1 means whole numbers; any other is what the input's arrows go by. */
export interface Limits {
  min: number;
  max: number;
  step: number;
}

export const MAX_SEED = 2 ** 31 - 1;
export const LIMITS = {
  worldSeed: { min: 0, max: MAX_SEED, step: 1 },
  difficulty: { min: 1, max: 3, step: 1 },
  seed: { min: 0, max: MAX_SEED, step: 1 },
  temperature: { min: 0, max: 2, step: 0.1 },
  threshold: { min: 0.05, max: 1, step: 0.05 },
  topP: { min: 0.05, max: 1, step: 0.05 },
  minP: { min: 0, max: 1, step: 0.05 },
  blockSize: { min: 0, max: 256, step: 1 },
  guidance: { min: 0, max: 20, step: 0.5 },
  bestOf: { min: 1, max: 64, step: 1 },
  attempts: { min: 1, max: 64, step: 1 },
  faultSteps: { min: 2, max: 99, step: 1 },
} as const satisfies { [name: string]: Limits };
export type NumberSetting = keyof typeof LIMITS;

/** The number that a text is, or null when it is none within the limits. */
export function numberWithin(text: string, { min, max, step }: Limits): number | null {
  const value = text.trim() === '' ? NaN : Number(text);
  const fits = value >= min && value <= max && (step !== 1 || Number.isInteger(value));
  // Adding 0 makes -0 the 0 that is written.
  return fits ? value + 0 : null;
}

/** What a number within the limits is, for messages: `a whole number from 1 to 3`. */
export function wantedNumber({ min, max, step }: Limits): string {
  return `a ${step === 1 ? 'whole number' : 'number'} from ${min} to ${max}`;
}
