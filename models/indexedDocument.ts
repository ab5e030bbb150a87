import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

/** A file whose words are in the index (`documentWord.ts`). Written after them: without this row they don't count. */
type IndexedDocumentRow = {
  accountId: number;
  fileId: Types.ObjectId;
  /** Of the rules that read it; an older one is read again. */
  version: number;
  /** How many sentences it has; null where its text can't be read. */
  sentences: number | null;
};

export const IndexedDocument = entity<IndexedDocumentRow>({
  name: 'IndexedDocument',
  collection: 'indexedDocuments',
  scope: 'customer',
  fields: { fileId: 'ObjectId', version: Number, sentences: { type: Number, default: null } },
  indexes: [[{ accountId: 1, fileId: 1 }, { unique: true }]],
});
