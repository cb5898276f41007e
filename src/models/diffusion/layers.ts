/** Keys and values of all layers as a graph names and gives them. */
import type { Tensors } from '../session';
import type { LayerPair } from './prefixCache';

/** Names of keys and values of all layers. */
export function layerNames(layers: number, prefix: string): string[] {
  return Array.from({ length: layers }, (_, i) => [`${prefix}.${i}.key`, `${prefix}.${i}.value`]).flat();
}

/** Keys and values that a call gave, by layer. */
export async function layerPairs(out: Tensors, layers: number, prefix = 'present'): Promise<LayerPair[]> {
  const data = async (name: string) => (await out[name]?.getData(true)) as Float32Array;
  const pairs: LayerPair[] = [];
  for (let i = 0; i < layers; i++) {
    pairs.push({ key: await data(`${prefix}.${i}.key`), value: await data(`${prefix}.${i}.value`) });
  }
  return pairs;
}

/** Whether the keys and values of a token are numbers and not all zero, as those of a failed read are. */
export function isAlive(pair: LayerPair, token: number, headDim: number): boolean {
  return [pair.key, pair.value].every((data) => {
    const row = data.subarray(token * headDim, (token + 1) * headDim);
    return row.every(Number.isFinite) && row.some((value) => value !== 0);
  });
}
