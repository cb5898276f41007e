/** Byte-level byte-pair encoding over the codec's pre-tokens. The tables come from a Hugging Face `tokenizer.json`. */
import { FIRST_TEXT, PRE_TOKEN, type Tokenizer } from '../../world/codec/special';

/** Id of a byte: bytes follow the special tokens, merges follow the bytes. */
export const FIRST_MERGE = FIRST_TEXT + 256;

const MEMO_LIMIT = 20000;

/** Gives a draw in (0, 1); BPE dropout skips a merge when it is below the rate. */
export type Draw = () => number;

export class BpeTokenizer implements Tokenizer {
  readonly vocabSize: number;
  private readonly ranks = new Map<number, number>();
  private readonly bytes: Uint8Array[];
  private readonly memo = new Map<string, number[]>();
  private readonly utf8 = new TextEncoder();
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** @param merges pairs of ids in order of rank; the r-th pair makes the token FIRST_MERGE + r */
  constructor(
    merges: readonly (readonly [number, number])[],
    readonly sha256: string,
  ) {
    this.vocabSize = FIRST_MERGE + merges.length;
    this.bytes = Array.from({ length: FIRST_MERGE }, (_, id) =>
      id < FIRST_TEXT ? new Uint8Array() : Uint8Array.of(id - FIRST_TEXT),
    );
    merges.forEach(([left, right], rank) => {
      this.ranks.set(pairKey(left, right), rank);
      this.bytes.push(Uint8Array.of(...this.tokenBytes(left), ...this.tokenBytes(right)));
    });
  }

  encode(text: string): number[] {
    const out: number[] = [];
    for (const piece of pieces(text)) {
      let ids = this.memo.get(piece);
      if (!ids) {
        ids = this.merge(piece);
        if (this.memo.size >= MEMO_LIMIT) this.memo.clear();
        this.memo.set(piece, ids);
      }
      for (const id of ids) out.push(id);
    }
    return out;
  }

  /**
   * An encoder with BPE dropout (Provilkov et al. 2020): each merge is skipped with probability `rate`. A piece is split
   * the same way every time, so that what is copied inside one trajectory stays equal token by token.
   */
  withDropout(rate: number, draw: Draw): Tokenizer {
    const memo = new Map<string, number[]>();
    const encode = (text: string) =>
      pieces(text).flatMap((piece) => {
        let ids = memo.get(piece);
        if (!ids) memo.set(piece, (ids = this.merge(piece, rate, draw)));
        return ids;
      });
    return { vocabSize: this.vocabSize, sha256: this.sha256, encode, decode: (ids) => this.decode(ids) };
  }

  decode(ids: readonly number[]): string {
    const parts = ids.map((id) => this.tokenBytes(id));
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return this.decoder.decode(all);
  }

  /** The bytes a token stands for; none for special tokens and ids outside the vocabulary. */
  tokenBytes(id: number): Uint8Array {
    return this.bytes[id] ?? new Uint8Array();
  }

  private merge(piece: string, rate = 0, draw: Draw = () => 1): number[] {
    const ids = Array.from(this.utf8.encode(piece), (byte) => FIRST_TEXT + byte);
    while (ids.length > 1) {
      let best = Infinity;
      let at = -1;
      for (let i = 0; i + 1 < ids.length; i++) {
        const rank = this.ranks.get(pairKey(ids[i] as number, ids[i + 1] as number));
        if (rank !== undefined && rank < best && (rate === 0 || draw() >= rate)) {
          best = rank;
          at = i;
        }
      }
      if (at < 0) break;
      ids.splice(at, 2, FIRST_MERGE + best);
    }
    return ids;
  }
}

/** Pre-tokens of a text, made well-formed first. They cover it without gaps. */
export function pieces(text: string): string[] {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').match(PRE_TOKEN) ?? [];
}

export function pairKey(left: number, right: number): number {
  return left * 65536 + right;
}
