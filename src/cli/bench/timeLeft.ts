/** How far a bench of many parts is and how long the rest takes, on stderr. */
import { progressNotes } from '../progress';

/** What is to be done: a title, and about how many seconds it takes on an idle machine with two cores. */
export interface Part {
  title: string;
  weight: number;
}

export class TimeLeft {
  private done = 0;
  private current: Part = { title: 'start', weight: 0 };
  private within = '';
  private readonly tell: (done: number) => void;

  /** @param total weights of all parts together */
  constructor(private readonly total: number) {
    this.tell = progressNotes(total, (done, ms) =>
      progressLine(`${this.current.title}${this.within}`, done / total, ms),
    );
  }

  /** Starts a part; the one before it is done, or was given up. */
  begin(part: Part): void {
    this.done += this.current.weight;
    this.current = part;
    this.update(0, 0);
  }

  /** How far the current part is. */
  update(done: number, of: number): void {
    this.within = of > 0 ? `, ${done} of ${of}` : '';
    const part = of > 0 ? (done / of) * this.current.weight : 0;
    // The listener's last line is for the end alone.
    this.tell(Math.min(this.done + part, 0.999 * this.total));
  }
}

/**
 * A line of progress. The estimate takes the rest to be as slow as what is done, beside the weights; the first fortieth says
 * too little.
 * @param share of the whole that is done, in [0, 1]
 */
export function progressLine(title: string, share: number, ms: number): string {
  const left = share < 0.025 ? '' : `, about ${duration((ms / share) * (1 - share))} left`;
  return `${duration(ms).padStart(9)}  ${title}${left}`;
}

/** Milliseconds as people read them. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
