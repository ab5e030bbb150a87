/** The texts as they are sent: each in one line, so that a quotation is found whatever its line ends, and cut. */
export function sentTexts(texts: readonly string[], most: number): string[] {
  let left = most;
  return texts.flatMap((text) => {
    const line = text.replace(/\s+/g, ' ').trim().slice(0, left);
    left -= line.length;
    return line ? [line] : [];
  });
}

const lengthOf = (items: readonly unknown[]): number => JSON.stringify(items).length;

/** Items by call, in order; `mostItems` and `mostCharacters`, counted as JSON, bound one call. */
export function inBatches<Item>(items: readonly Item[], mostItems: number, mostCharacters: number): Item[][] {
  const batches: Item[][] = [];
  for (const item of items) {
    const last = batches.at(-1);
    if (last && last.length < mostItems && lengthOf([...last, item]) <= mostCharacters) last.push(item);
    else batches.push([item]);
  }
  return batches;
}

const CHARACTERS_PER_TOKEN = 3.5;
const INSTRUCTION_TOKENS = 400;

/** About how many tokens a call takes, rather too many than too few; `answerTokens` are those of one item's answer. */
export const estimateCall = (batch: readonly unknown[], answerTokens: number): number =>
  Math.ceil(lengthOf(batch) / CHARACTERS_PER_TOKEN) + INSTRUCTION_TOKENS + batch.length * answerTokens;

/** A quotation this short could stand anywhere; a shorter text has to be quoted whole. */
const MIN_QUOTE = 8;

/** Whether a quotation stands in one of the texts word for word. */
export const standsIn = (quote: string, texts: readonly string[]): boolean =>
  texts.some((text) => text.includes(quote) && (quote.length >= MIN_QUOTE || quote === text));
