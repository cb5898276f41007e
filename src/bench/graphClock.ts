/** The time that passes inside ONNX graphs: what is left of a step is JavaScript. */
import type { InferenceSession } from 'onnxruntime-web/webgpu';
import type { Ort } from '../models/ort';

export class GraphClock {
  /** Milliseconds in `run` since the last reset, and calls of it. */
  ms = 0;
  runs = 0;
  /** Most rows of one call: sequences that shared a pass. */
  rows = 0;

  reset(): void {
    this.rows = 0;
    this.ms = 0;
    this.runs = 0;
  }

  /** Counts every session that is made from now on. */
  watch({ InferenceSession: sessions }: Ort): void {
    const create = sessions.create.bind(sessions) as (...args: unknown[]) => Promise<InferenceSession>;
    const watched = async (...args: unknown[]) => {
      const session = await create(...args);
      const run = session.run.bind(session) as (...args: unknown[]) => ReturnType<InferenceSession['run']>;
      session.run = async (...feeds: unknown[]) => {
        const start = performance.now();
        try {
          return await run(...feeds);
        } finally {
          this.ms += performance.now() - start;
          this.runs++;
          this.rows = Math.max(this.rows, rowsOf(feeds[0] as InferenceSession.FeedsType));
        }
      };
      return session;
    };
    Object.assign(sessions, { create: watched });
  }
}

function rowsOf({ input_ids: ids }: InferenceSession.FeedsType): number {
  return ids && ids.dims.length > 1 ? (ids.dims[0] as number) : 1;
}
