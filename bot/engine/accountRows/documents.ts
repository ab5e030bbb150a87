import type { FileRow } from '../../../models/file.ts';
import { readDocuments } from '../documents/sandbox.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { namedField } from '../queries/namedField.ts';

export const DOCUMENTS: Nouns = {
  one: 'document',
  many: 'documents',
  names: ['workspace document', 'workspace documents', 'uploaded documents', 'uploaded document', 'paper', 'papers'],
};

/** Formats by the end of a file's name. */
const FORMATS: Readonly<Record<string, string>> = {
  ...{ pdf: 'PDF', docx: 'Word', doc: 'Word', xlsx: 'Excel', xlsm: 'Excel', xls: 'Excel', csv: 'CSV', md: 'Markdown' },
};
const formatOf = (name: string): string | null => {
  const end = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase();
  return end ? (Object.hasOwn(FORMATS, end) ? (FORMATS[end] ?? null) : end.toUpperCase()) : null;
};

/** The documents of an account's workspace. */
export const documents = async (accountId: number): Promise<Entity<FileRow>> => ({
  id: 'documents',
  ...DOCUMENTS,
  rows: await readDocuments(accountId),
  fields: [
    namedField(
      {
        id: 'adder',
        names: [
          'person',
          'uploader',
          'adder',
          'who added it',
          'who uploaded it',
          'who added them',
          'who uploaded them',
        ],
        noun: 'person who added it',
        before: [
          ...['added by', 'uploaded by', 'put in by', 'put up by', 'brought in by', 'provided by', 'shared by'],
          ...['supplied by', 'loaded by', 'saved by', 'submitted by', 'by', 'from', 'of'],
        ],
        behind: [
          'upload',
          'uploaded',
          'add',
          'added',
          'put in',
          'put up',
          'put here',
          'brought in',
          'shared',
          'provided',
          'supplied',
          'loaded',
          'gave us',
          'has uploaded',
          'has added',
          'submitted',
          'saved',
          'share',
          'provide',
        ],
        isPast: true,
        isPerson: true,
      },
      ({ addedBy }) => addedBy?.name ?? null,
    ),
    {
      id: 'format',
      kind: 'choice',
      names: ['format', 'formats', 'file type', 'file types', 'type', 'types', 'extension'],
      noun: 'format',
      has: 'a format',
      lacks: 'no format',
      usual: ['PDF', 'Word', 'Excel', 'CSV', 'Markdown'],
      read: ({ originalName }) => formatOf(originalName),
    },
  ],
  outside: ({ originalName, addedBy }) => [originalName, addedBy?.name],
  line: ({ originalName, addedBy }) => (addedBy ? `${originalName} (added by ${addedBy.name})` : originalName),
});
