import { makeSources } from '../../../engine/agents/sourceDocument.ts';
import { FIELD } from '../brief/sentences.ts';

/** The kind under which uploads and pasted texts for this agent are kept. */
export const SOURCE_KIND = 'product-text';

const READABLE = /\.(?:docx|md|txt)$/i;

/** Whether a document can be a source or give evidence. */
export const isReadable = (name: string): boolean => READABLE.test(name);

const isField = (line: string): boolean => FIELD.test(line.trim());

const documents = makeSources({
  kind: SOURCE_KIND,
  isReadable,
  // A request with values in lines of their own holds no document.
  isOfRequest: isField,
});

/** Two sentences below a request are a text about a product, however short. */
const SENTENCES = /[.!?]\s+\p{Lu}/u;

/** The text in a message: what follows its first line; null where a message holds none. */
function pastedText(message: string): string | null {
  const long = documents.pastedText(message);
  const after = message.split('\n').slice(1).join('\n').trim();
  const own = after
    .split('\n')
    .filter((line) => !isField(line))
    .join('\n');
  return long ?? (SENTENCES.test(own) ? after : null);
}

type Where = Parameters<typeof documents.findSource>[1];

/** Where texts about products come from. */
export const sources = {
  ...documents,
  pastedText,
  requestPart(message: string): string {
    const text = pastedText(message);
    return text === null ? message : message.slice(0, message.indexOf(text));
  },
  findSource(message: string, where: Where) {
    const text = pastedText(message);
    return text === null ? documents.findSource(message, where) : documents.keepText(where, text);
  },
};
