/** How fast a drive goes: a wait between steps, pause, single steps while it is paused. Stopping is the drive's signal. */

export class Pace {
  /** Milliseconds between the end of a step and the beginning of the next. */
  delay = 0;
  /** Called when `paused` changes. */
  onChange: (() => void) | null = null;
  #paused = false;
  /** Single steps that were asked for and not yet taken. */
  #granted = 0;
  /** Whether a step was let through since `begin`; the first waits for nothing. */
  #moved = false;
  #wake: () => void = () => undefined;

  get paused(): boolean {
    return this.#paused;
  }

  /** Before a drive: not paused, and nothing granted. */
  begin(): void {
    this.#granted = 0;
    this.#moved = false;
    this.#set(false);
  }

  /** The step under way ends as usual; the next one waits. */
  pause(): void {
    this.#set(true);
  }

  resume(): void {
    this.#granted = 0;
    this.#set(false);
  }

  /** Lets one more step through, and stays paused. */
  stepOnce(): void {
    if (!this.#paused) return;
    this.#granted++;
    this.#wake();
  }

  /**
   * Waits until the next step may begin: for the delay, then for as long as it is paused.
   * @throws the signal's reason when aborted
   */
  async gate(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#moved && this.delay > 0 && !this.#paused) await this.#wait(signal, this.delay);
    while (this.#paused && this.#granted === 0) await this.#wait(signal);
    if (this.#granted > 0) this.#granted--;
    this.#moved = true;
  }

  #set(paused: boolean): void {
    const changed = this.#paused !== paused;
    this.#paused = paused;
    // Pausing ends the wait between steps too, so that a single step is taken at once.
    this.#wake();
    if (changed) this.onChange?.();
  }

  /** Until something changes, or the time is over. */
  #wait(signal: AbortSignal | undefined, ms?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = ms === undefined ? undefined : setTimeout(() => end(resolve), ms);
      const abort = () => end(() => reject(signal?.reason as Error));
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#wake = () => undefined;
        settle();
      };
      this.#wake = () => end(resolve);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
