/** The time that passes inside ONNX graphs: what is left of a step is JavaScript. */
import type { InferenceSession } from 'onnxruntime-web/webgpu';
import type { Ort } from '../models/ort';

export class GraphClock {
  /** Milliseconds in `run` since the last reset, and calls of it. */
  ms = 0;
  runs = 0;

  reset(): void {
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
        }
      };
      return session;
    };
    Object.assign(sessions, { create: watched });
  }
}
