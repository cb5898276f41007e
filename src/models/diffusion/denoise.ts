/** From passes to an answer: a sampler at work on a window, as a whole or block by block. */
import type { BlockSampler, BlockView, WindowSampler } from './samplers';
import type { AnswerWindow, Guess } from './window';

/** Uniform draw in (0, 1) for a place of the window and further words of a key. */
export type Chance = (place: number, ...more: number[]) => number;

export class Denoiser {
  private block: { places: number[]; sampler: BlockSampler } | null = null;
  /** How often a slot grew after something was written: samplers then start anew. */
  private growths = 0;

  /** @param blockSize places of a block; infinite for the whole window */
  constructor(
    private readonly window: AnswerWindow,
    private readonly sampler: WindowSampler,
    private readonly blockSize: number,
    private readonly chance: Chance,
  ) {}

  /** Masked places whose tokens the next pass may write. */
  open(): number[] {
    return this.places().filter((place) => this.window.isMasked(place));
  }

  /** Takes one pass in: slots grow, or the sampler writes and masks until another pass is needed. */
  take(guess: Guess): void {
    const { window } = this;
    if (window.notice(guess)) return;
    const places = this.places();
    this.block ??= { places, sampler: this.sampler.open(this.open().length) };
    const { sampler } = this.block;
    for (let changed = false; ;) {
      const plan = sampler.plan(this.view(places, guess));
      if (!plan) {
        window.commit(this.open(), guess);
        this.block = null;
        break;
      }
      window.commit(plan.commit, guess);
      window.remask(plan.remask ?? []);
      changed ||= plan.commit.length > 0 || (plan.remask ?? []).length > 0;
      if (changed && this.open().length > 0) break;
    }
    if (window.growFull()) {
      this.growths++;
      this.block = null;
    }
  }

  private places(): number[] {
    if (this.block) return this.block.places;
    if (Number.isFinite(this.blockSize)) return this.window.firstBlock(this.blockSize);
    return this.window.draft().map((_, i) => i + 1);
  }

  private view(places: readonly number[], guess: Guess): BlockView {
    const masked = places
      .filter((place) => this.window.isMasked(place))
      .map((place) => ({
        place,
        confidence: guess.confidence[place] as number,
        margin: guess.margin[place] as number,
        entropy: guess.entropy[place] as number,
      }));
    const written = places.filter((place) => this.window.isWritten(place));
    return { masked, written, uniform: (place, step) => this.chance(place, this.growths, step) };
  }
}
