/** Tokens of one masked place with their scores, among those that may stand there. */
import { nucleus, type Row } from '../draw';

/** What a pass says about a masked place. */
export interface PlaceScores {
  row: Row;
  /** Noise of all tokens where the place is drawn at; null where the best path is taken. */
  noise: Float64Array | null;
}

export interface PathDrawing {
  temperature: number;
  topP: number;
  minP: number;
}

/** What a place gets: its token on the path, rated among the tokens that may stand there. */
export interface PlaceChoice {
  token: number;
  confidence: number;
  /** Lead over the best other token; below 0 where the path takes another than the best. */
  margin: number;
  /** In nats. */
  entropy: number;
}

/** Taken off the score of a token that top-p or min-p leave out: it comes only where nothing else can. */
const LEFT_OUT = 1e9;

export class Rated {
  /** By token: logit over temperature, with noise where there is some; minus infinity where it cannot stand. */
  readonly score: Float64Array;
  private readonly weight: Float64Array;

  /** @param support which tokens may stand at the place */
  constructor({ row, noise }: PlaceScores, support: Uint8Array, drawing: PathDrawing) {
    const { size } = row;
    const scale = drawing.temperature > 0 ? drawing.temperature : 1;
    const logit = (i: number) => row.data[row.start + i] as number;
    this.score = new Float64Array(size).fill(-Infinity);
    this.weight = new Float64Array(size);
    let [top, total] = [-Infinity, 0];
    for (let i = 0; i < size; i++) if (support[i]) top = Math.max(top, logit(i));
    for (let i = 0; i < size; i++) {
      if (!support[i]) continue;
      const z = logit(i) - top;
      this.score[i] = z / scale + (noise ? (noise[i] as number) : 0);
      total += this.weight[i] = Math.exp(z);
    }
    for (let i = 0; i < size; i++) this.weight[i] = (this.weight[i] as number) / total;
    if (noise) this.leaveOut(row, support, drawing, top);
  }

  /** @param token one that may stand at the place */
  choice(token: number): PlaceChoice {
    const confidence = this.weight[token] as number;
    let [other, entropy] = [0, 0];
    for (let id = 0; id < this.weight.length; id++) {
      const p = this.weight[id] as number;
      if (p <= 0) continue;
      entropy -= p * Math.log(p);
      if (id !== token && p > other) other = p;
    }
    return { token, confidence, margin: confidence - other, entropy };
  }

  /** Min-p before the temperature, then the nucleus of what is left, as `draw` has them. */
  private leaveOut(row: Row, support: Uint8Array, { temperature, topP, minP }: PathDrawing, top: number): void {
    if (topP >= 1 && minP <= 0) return;
    const odds = new Float64Array(row.size);
    for (let i = 0; i < row.size; i++) {
      const z = (row.data[row.start + i] as number) - top;
      if (support[i] && Math.exp(z) >= minP) odds[i] = Math.exp(z / temperature);
    }
    const total = odds.reduce((a, b) => a + b, 0);
    const kept =
      topP < 1
        ? nucleus(
            odds.map((x) => x / total),
            topP,
          )
        : null;
    for (let i = 0; i < row.size; i++) {
      if (support[i] && (odds[i] === 0 || (kept && !kept.has(i)))) this.score[i] = (this.score[i] as number) - LEFT_OUT;
    }
  }
}
