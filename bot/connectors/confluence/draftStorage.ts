import type { RemoteDraft } from '../../engine/connectors/connector.ts';
import { type DraftLine, introductionOf, readDraftLines } from '../../engine/documents/draftLines.ts';
import { plainText } from '../../engine/files/plainText.ts';

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => plainText(text).replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? '');

function write(line: DraftLine, isFirst: boolean, isLast: boolean): string {
  const text = escapeText(line.text);
  if (line.kind === 'heading') return `<h${line.level}>${text}</h${line.level}>`;
  if (line.kind === 'paragraph') return `<p>${text}</p>`;
  return `${isFirst ? '<ul>' : ''}<li><p>${text}</p></li>${isLast ? '</ul>' : ''}`;
}

/** The page of a draft in the storage format: a link to Arc, then its text. */
export function draftStorage({ name, text, link }: Pick<RemoteDraft, 'name' | 'text' | 'link'>): string {
  const lines = text === null ? [] : readDraftLines(text);
  const isItem = (at: number) => lines[at]?.kind === 'item';
  const written = lines.map((line, at) => write(line, !isItem(at - 1), !isItem(at + 1)));
  return `<p><a href="${escapeText(link)}">${escapeText(introductionOf(name, text))}</a></p>${written.join('')}`;
}
