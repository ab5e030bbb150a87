import type { FileRow } from '../../../models/file.ts';
import { readDocuments } from '../documents/sandbox.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { namedField } from '../queries/namedField.ts';

export const DOCUMENTS: Nouns = {
  one: 'document',
  many: 'documents',
  names: ['workspace document', 'workspace documents'],
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
        names: ['person'],
        noun: 'person who added it',
        before: ['added by', 'uploaded by', 'by', 'from'],
      },
      ({ addedBy }) => addedBy?.name ?? null,
    ),
  ],
  outside: ({ originalName, addedBy }) => [originalName, addedBy?.name],
  line: ({ originalName, addedBy }) => (addedBy ? `${originalName} (added by ${addedBy.name})` : originalName),
});
