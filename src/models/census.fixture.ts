/** Counts the tensors that models hold, for tests: all that sessions make or give, minus those disposed of or collected. */
import type { Tensor } from 'onnxruntime-web/webgpu';
import { ModelSession } from './session';

const MAKERS = ['int32', 'int64', 'float32'] as const;

export class TensorCensus {
  /** Forward passes since the start. */
  runs = 0;
  /** Tensors since the start. */
  made = 0;
  /** Most tokens of context that a pass was fed. */
  longestPast = 0;
  private everywhere: WeakRef<Tensor>[] = [];
  /** Not weak: what lies on a graphics card stays there until somebody disposes of it, collected or not. */
  private readonly onGpu = new Set<Tensor>();
  private readonly undo: (() => void)[] = [];

  /** Starts to count, for all sessions of this place; `stop` ends it. */
  constructor() {
    const { prototype } = ModelSession;
    const add = (tensor: Tensor) => this.add(tensor);
    for (const name of MAKERS) {
      const make = prototype[name] as (this: ModelSession, ...args: unknown[]) => Tensor;
      const counted = function (this: ModelSession, ...args: unknown[]): Tensor {
        return add(make.apply(this, args));
      };
      (prototype as unknown as { [name: string]: unknown })[name] = counted;
      this.undo.push(() => ((prototype as unknown as { [name: string]: unknown })[name] = make));
    }
    const { run } = prototype;
    const passed = (feeds: { [name: string]: Tensor }) => {
      this.runs++;
      for (const [name, tensor] of Object.entries(feeds)) {
        if (name.endsWith('.key')) this.longestPast = Math.max(this.longestPast, tensor.dims[2] as number);
      }
    };
    prototype.run = async function (feeds, fetches) {
      passed(feeds);
      const out = await run.call(this, feeds, fetches);
      Object.values(out).forEach(add);
      return out;
    };
    this.undo.push(() => (prototype.run = run));
  }

  /** Tensors on the graphics card that nobody has disposed of. */
  get liveOnGpu(): number {
    return [...this.onGpu].filter((tensor) => tensor.location === 'gpu-buffer').length;
  }

  /** Tensors that something still holds; collect garbage first (and let a task go by: looking at one keeps it for a while). */
  get live(): number {
    this.everywhere = this.everywhere.filter((ref) => {
      const tensor = ref.deref();
      return tensor !== undefined && tensor.location !== 'none';
    });
    return this.everywhere.length;
  }

  stop(): void {
    this.undo.splice(0).forEach((undo) => undo());
  }

  private add(tensor: Tensor): Tensor {
    this.made++;
    this.everywhere.push(new WeakRef(tensor));
    if (tensor.location === 'gpu-buffer') this.onGpu.add(tensor);
    return tensor;
  }
}
