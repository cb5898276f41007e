/**
 * The one interface of the diffusion samplers. A sampler decides which masked places of a block are written after a pass,
 * and which written ones are masked again; drawing tokens, growing slots and keeping pins fixed is the window's work.
 */

import type { Drafting } from '../drafting';

/** A masked place and what the last pass says about it; statistics are of the model's own distribution. */
export interface Candidate {
  /** Counted from `<resp>` at 0. */
  place: number;
  /** Probability of the token that would be written. */
  confidence: number;
  /** Probability of the most probable token less that of the second. */
  margin: number;
  /** Entropy in nats. */
  entropy: number;
}

/** A block after a pass: its masked places, and those that were written by the sampler. Pinned places are in neither. */
export interface BlockView {
  masked: readonly Candidate[];
  written: readonly number[];
  /** Uniform in (0, 1), keyed by the place and the sampler's own step, and by nothing that depends on other places. */
  uniform(place: number, step: number): number;
}

/** What to do with a block. With neither, the same pass is looked at again with the sampler's next step. */
export interface Plan {
  commit: readonly number[];
  remask?: readonly number[];
}

/** A sampler at work on one block. */
export interface BlockSampler {
  /** What to do next; null when the sampler has nothing more to do (asked only while nothing is masked). */
  plan(view: BlockView): Plan | null;
}

/** What a parameter may be. Pages build their controls from it. */
export type ParameterSpec =
  | { kind: 'number' | 'integer'; min: number; max: number; default: number; about: string }
  | { kind: 'choice'; values: readonly string[]; default: string; about: string };

export type ParameterSpecs = { readonly [name: string]: ParameterSpec };

/** Values that fit the specs. */
export type Values<S extends ParameterSpecs> = {
  [K in keyof S]: S[K] extends { kind: 'choice'; values: readonly (infer V)[] } ? V : number;
};

interface Described<S extends ParameterSpecs> {
  /** One sentence for people. */
  about: string;
  parameters: S;
}

/** A sampler that fills a window of masks. */
export interface SamplerDefinition<S extends ParameterSpecs = ParameterSpecs> extends Described<S> {
  /** Starts on a block with so many masked places. */
  open(values: Values<S>, masked: number): BlockSampler;
}

/** A sampler that writes from left to right, and how it drafts. */
export interface DraftingDefinition<S extends ParameterSpecs = ParameterSpecs> extends Described<S> {
  drafts(values: Values<S>): Drafting;
}

/** Keeps the types of a definition's parameters. */
export function define<const S extends ParameterSpecs>(definition: SamplerDefinition<S>): SamplerDefinition<S> {
  return definition;
}

/** As `define`. */
export function defineDrafts<const S extends ParameterSpecs>(definition: DraftingDefinition<S>): DraftingDefinition<S> {
  return definition;
}
