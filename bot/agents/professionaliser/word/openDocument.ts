import { FileError } from '../../../engine/files/fileError.ts';
import { refuseTrackedChanges } from '../../../engine/files/trackedChanges.ts';
import { makeEntry, readPart, readZipDirectory, writeZip, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { bodyOf, type Paragraph, readParagraphs } from './paragraphs.ts';
import { parseXml, writeXml, type XmlElement, type XmlNode } from './xml.ts';

/** A Word document that was opened: its parts, and the tree of its text. */
export type WordFile = {
  entries: Map<string, ZipEntry>;
  nodes: XmlNode[];
  body: XmlElement;
  paragraphs: Paragraph[];
  /** Pictures, drawings and comments, which are kept but not read. */
  unread: { pictures: number; notes: number; comments: number };
};

const DOCUMENT = 'word/document.xml';
/** Longer documents are refused: nobody controls that much text as one document. */
const MAX_PART_CHARACTERS = 8 * 1024 * 1024;
const MAX_PARAGRAPHS = 6000;

const refuse = (code: string, text: string) => new FileError(code, text);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** A part's text; null where the file has none. @throws FileError */
function partOf(entries: Map<string, ZipEntry>, name: string): string | null {
  try {
    return readPart(entries, name);
  } catch {
    throw refuse(
      'damaged_document',
      'A part of this document is damaged. Save it again in Word and send it once more.',
    );
  }
}

function entriesOf(bytes: Uint8Array): Map<string, ZipEntry> {
  try {
    return readZipDirectory(bytes);
  } catch {
    throw refuse(
      'damaged_document',
      'This file can’t be opened as a Word document: it is damaged, has a password, or is too large when unpacked. Save it again as .docx without a password.',
    );
  }
}

/**
 * Opens a Word document.
 * @throws FileError with what to do: damaged, too long, empty, or with changes that others have tracked
 */
export function openDocument(bytes: Uint8Array): WordFile {
  const entries = entriesOf(bytes);
  const text = partOf(entries, DOCUMENT);
  if (text === null)
    throw refuse('no_document', 'This file is not a Word document: it has no text part. Send a .docx.');
  if (text.length > MAX_PART_CHARACTERS)
    throw refuse('too_long', 'This document is too long to be controlled as one. Split it and send the parts.');
  refuseTrackedChanges(text);
  const read = readTree(text);
  if (read.paragraphs.length > MAX_PARAGRAPHS)
    throw refuse('too_long', `This document has more than ${MAX_PARAGRAPHS} paragraphs. Split it and send the parts.`);
  if (read.paragraphs.every((paragraph) => paragraph.text.trim() === ''))
    throw refuse('no_text', 'This document has no text that can be read. A scan is a picture, not text.');
  return {
    ...read,
    entries,
    unread: {
      pictures: count(text, /<(?:w:drawing|w:pict|w:object)[\s>]/g),
      notes: count(text, /<w:(?:footnote|endnote)Reference[\s>]/g),
      comments: count(text, /<w:commentReference[\s>]/g),
    },
  };
}

function readTree(text: string): Pick<WordFile, 'nodes' | 'body' | 'paragraphs'> {
  try {
    const nodes = parseXml(text);
    const body = bodyOf(nodes);
    return { nodes, body, paragraphs: readParagraphs(body) };
  } catch {
    throw refuse(
      'damaged_document',
      'The text of this document can’t be read. Open it in Word, save it again as .docx and send it once more.',
    );
  }
}

/** A part as text, for a reader of styles or numbering; null where the document has none. */
export const readWordPart = ({ entries }: Pick<WordFile, 'entries'>, name: string): string | null =>
  partOf(entries, name);

/** The file with its text and these parts changed; every other part keeps its bytes. */
export function saveDocument({ entries, nodes }: WordFile, parts: ReadonlyMap<string, string>): Uint8Array {
  const changed = new Map([...parts, [DOCUMENT, writeXml(nodes)]]);
  const kept = [...entries.values()].map((entry) => {
    const text = changed.get(entry.name);
    changed.delete(entry.name);
    return text === undefined ? entry : makeEntry(entry.name, text);
  });
  return writeZip([...kept, ...[...changed].map(([name, text]) => makeEntry(name, text))]);
}
