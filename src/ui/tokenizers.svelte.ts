/** Tokenizers of the model folders, fetched when something is to be shown as tokens; the code comes with them. */
import type { Tokenizer } from '../world/codec/special';

export class Tokenizers {
  #loaded = $state.raw<{ [folder: string]: Tokenizer }>({});
  /** Not reactive: what is shown depends on what is loaded. */
  #asked: { [folder: string]: Promise<void> } = {};

  /** The tokenizer of a model folder (a URL that ends in a slash), or null until `load` has brought it. */
  get(folder: string): Tokenizer | null {
    return this.#loaded[folder] ?? null;
  }

  /** Loads a tokenizer once; a failure is forgotten, so that the next call tries again. Never rejects. */
  load(folder: string): Promise<void> {
    const asked = (this.#asked[folder] ??= this.#fetch(folder).catch(() => void delete this.#asked[folder]));
    return asked;
  }

  async #fetch(folder: string): Promise<void> {
    const [{ loadTokenizer }, response] = await Promise.all([
      import('../models/tokenizer'),
      fetch(`${folder}tokenizer.json`),
    ]);
    if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
    const tokenizer = await loadTokenizer(await response.text());
    this.#loaded = { ...this.#loaded, [folder]: tokenizer };
  }
}
