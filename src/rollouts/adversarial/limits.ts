/** Sizes a scenario keeps to, so that a trained model could be right: those of the corpus (docs/adding-a-twin.md). */
export const BLOCK_TOKENS = 640;
export const ANSWER_TOKENS = { observation: 112, delta: 72 };
