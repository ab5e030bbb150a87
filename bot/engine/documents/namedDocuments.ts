import type { FileRow } from '../../../models/file.ts';
import { readDocuments } from './sandbox.ts';

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[_\-.\s]+/g, ' ')
    .trim();

/** One word may be an ordinary one: a document called "report.docx" is meant by its whole name only. */
const isTelling = (stem: string): boolean => stem.includes(' ');

/**
 * The account's documents that a text names, with or without the ending, the longest name first. Where one document
 * was added twice under a name, the newest.
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
