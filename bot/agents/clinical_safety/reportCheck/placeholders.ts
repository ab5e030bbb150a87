import type { TextBlock } from '../reading/textBlocks.ts';

/** Patterns of places that a template or a draft leaves to be filled in. */
const PLACEHOLDER =
  /\b(?:TBC|TBD|TBA)\b|\b[Tt]o be (?:confirmed|completed|determined|added|advised)\b|\{\{[^{}]{1,60}\}\}|\[(?:[Ii]nsert|INSERT|[Ee]nter|[Aa]dd|[Yy]our|[Nn]ame|[Dd]ate|TBC|Clinical Safety Officer:)[^[\]]{0,200}\]|<(?:[Ii]nsert|[Ee]nter|[Aa]dd|[Yy]our)[^<>]{0,100}>|\bINSERT [A-Z]{3,}|\bX{3,}\b|\b[Ll]orem ipsum\b/g;

/** A text without its placeholders. */
export const withoutPlaceholders = (text: string): string => text.replace(PLACEHOLDER, ' ');

/** A place that was left open, with the heading that it stands under. */
type Placeholder = { text: string; under: string | null };

const MAX_TEXT = 160;

/** Every place that was left open, in the order of the report. */
export function findPlaceholders(blocks: readonly TextBlock[]): Placeholder[] {
  const found: Placeholder[] = [];
  let under: string | null = null;
  for (const block of blocks) {
    if ('heading' in block && block.heading !== null) under = block.text.slice(0, 200);
    const texts = 'table' in block ? block.table.flat() : [block.text];
    for (const text of texts)
      for (const [match] of text.matchAll(PLACEHOLDER)) found.push({ text: match.slice(0, MAX_TEXT), under });
  }
  return found;
}
