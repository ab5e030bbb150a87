import type { FileRow } from '../../../models/file.ts';
import { readDocuments } from './sandbox.ts';

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[_\-.\s]+/g, ' ')
    .trim();

/** A one-word name can be an ordinary word, so "report.docx" is recognised only with its extension. */
const isTelling = (stem: string): boolean => stem.includes(' ');

/**
 * The account's documents that a text names, with or without their extension, longest name first. Of several documents
 * with the same name, the newest.
 */
export async function findNamedDocuments(accountId: number, text: string): Promise<FileRow[]> {
  const words = ` ${plain(text)} `;
  const named = (await readDocuments(accountId)).flatMap((row) => {
    const whole = plain(row.originalName);
    const stem = plain(row.originalName.replace(/\.\w{2,4}$/, ''));
    const name = [whole, stem].find((one) => words.includes(` ${one} `) && (one === whole || isTelling(one)));
    return name === undefined ? [] : [{ row, name }];
  });
  const longest = named.sort((one, other) => other.name.length - one.name.length);
  return longest
    .filter(({ name }, at) => !longest.slice(0, at).some((other) => ` ${other.name} `.includes(` ${name} `)))
    .map(({ row }) => row);
}
