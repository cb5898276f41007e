/** Bounds of the page's numbers, for the link and for its inputs alike, and the choices of a runtime's provider. */

export const PROVIDERS = ['auto', 'webgpu', 'wasm'] as const;
export type ProviderChoice = (typeof PROVIDERS)[number];

export const MAX_SEED = 2 ** 31 - 1;
export const LIMITS = {
  worldSeed: { min: 0, max: MAX_SEED, step: 1 },
  difficulty: { min: 1, max: 3, step: 1 },
  seed: { min: 0, max: MAX_SEED, step: 1 },
  temperature: { min: 0, max: 2, step: 0.1 },
  threshold: { min: 0.05, max: 1, step: 0.05 },
  topP: { min: 0.05, max: 1, step: 0.05 },
  faultSteps: { min: 2, max: 99, step: 1 },
} as const;
export type NumberSetting = keyof typeof LIMITS;
