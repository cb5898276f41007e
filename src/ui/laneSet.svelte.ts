/** The lanes of the page: made from the settings, loaded one after another, and what their headers name. */
import type { Lane } from '../rollouts';
import type { Tokenizer } from '../world/codec/special';
import type { Pin } from '../world/anchors';
import type { Settings } from './hash';
import { keepLanes, type LaneModel } from './lane.svelte';
import type { Sampling } from './sampling/fields';
import type { Tokenizers } from './tokenizers.svelte';

export class LaneSet {
  list = $state.raw<readonly LaneModel[]>([]);

  /**
   * @param models URL of the folder that holds the model folders
   * @param now gives what all lanes share at the moment a step begins, and the pins of that step
   */
  constructor(
    private readonly models: string,
    private readonly tokenizers: Tokenizers,
    private readonly now: () => { sampling: Sampling; pins: readonly Pin[] },
  ) {}

  /** Lanes as the settings want them; models that are still wanted stay loaded. */
  set(settings: Settings): void {
    this.list = keepLanes(this.list, settings, this.models, this.tokenizers);
  }

  /**
   * One after another: the first answers sooner, and two loads at once would only slow each other down. For the same reason
   * a load waits for an answer that is being given; the step that wants its model begins it at once.
   */
  async load(): Promise<void> {
    for (const lane of this.list) {
      await this.#answered();
      if (this.list.includes(lane)) await lane.load();
    }
  }

  /** When no lane is at an answer. */
  async #answered(): Promise<void> {
    // A step that waited for the last load begins in a later task than the one that ends it.
    await new Promise((resolve) => setTimeout(resolve));
    for (const lane of this.list) await lane.idle();
  }

  /** The lanes as rollouts take them. */
  get forRollout(): Lane[] {
    return this.list.map((lane) => lane.forRollout(this.now));
  }

  /** Tokenizer of a lane's model; the twin reads nothing, so it is shown with any that is there. */
  tokenizerOf(id: string): Tokenizer | null {
    const own = this.list.find((lane) => lane.id === id)?.folder;
    const folders = own ? [own] : this.list.flatMap((lane) => lane.folder ?? []);
    return folders.map((folder) => this.tokenizers.get(folder)).find((tokenizer) => tokenizer !== null) ?? null;
  }
}
