import { makeSources } from '../../../engine/agents/sourceDocument.ts';
import { FIELD } from '../brief/sentences.ts';

/** The kind under which uploads and pasted texts for this agent are kept. */
export const SOURCE_KIND = 'product-text';

const READABLE = /\.(?:docx|md|txt)$/i;

/** Whether a document can be a source or give evidence. */
export const isReadable = (name: string): boolean => READABLE.test(name);

/** Where texts about products come from. */
export const sources = makeSources({
  kind: SOURCE_KIND,
  isReadable,
  // A request with values in lines of their own holds no document.
  isOfRequest: (line) => FIELD.test(line.trim()),
});
