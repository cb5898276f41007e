/** The tokenizer of the shipped pair. */
export { BpeTokenizer } from './bpe';
export { loadTokenizer, sha256, tokenizerFile } from './file';
export { trainMerges } from './train';
