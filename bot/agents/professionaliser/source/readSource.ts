import { FileError } from '../../../engine/files/fileError.ts';
import { makeWordFile } from './makeWordFile.ts';
import { looksLikeMarkdown, markdownBlocks, textBlocks } from './plainBlocks.ts';

/** Longer texts are refused: nobody controls that much text as one document. */
const MAX_CHARACTERS = 1_000_000;

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');

/** Whether a file of this name can be controlled. */
export const isControllable = (name: string): boolean => /\.(?:docx|md|txt)$/i.test(name);

function fromText(text: string, isMarkdown: boolean): Uint8Array {
  if (text.length > MAX_CHARACTERS)
    throw new FileError('too_long', 'This document is too long to be controlled as one. Split it and send the parts.');
  return makeWordFile(isMarkdown ? markdownBlocks(text) : textBlocks(text));
}

/**
 * A document as a Word file, from a Word file, Markdown or plain text.
 * @throws FileError for another kind of file, or one that is too long
 */
export function readSource(name: string, bytes: Uint8Array): Uint8Array {
  if (/\.docx$/i.test(name)) return bytes;
  if (!isControllable(name))
    throw new FileError(
      'not_read',
      `${name} is not read: send a Word document (.docx), Markdown (.md) or text (.txt).`,
    );
  const text = decode(bytes);
  return fromText(text, /\.md$/i.test(name) || looksLikeMarkdown(text));
}
