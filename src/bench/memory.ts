/** Counts the WebAssembly memories of a worker. Import it before anything that makes one. */
const memories: WebAssembly.Memory[] = [];

WebAssembly.Memory = class extends WebAssembly.Memory {
  constructor(descriptor: WebAssembly.MemoryDescriptor) {
    super(descriptor);
    memories.push(this);
  }
};

/** Bytes of all WebAssembly memories made so far; what was allocated and never used counts as well. */
export function wasmBytes(): number {
  return memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
