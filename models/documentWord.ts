import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

/** How often a document holds a word, by the word's stem. */
type DocumentWordRow = {
  accountId: number;
  stem: string;
  fileId: Types.ObjectId;
  /** As of `indexedDocument.ts`. */
  version: number;
  /** Sentences that hold it, themselves or by the heading that they stand under. */
  sentences: number;
  /** Those of them that hold it themselves. */
  own: number;
};

export const DocumentWord = entity<DocumentWordRow>({
  name: 'DocumentWord',
  collection: 'documentWords',
  scope: 'customer',
  fields: { stem: String, fileId: 'ObjectId', version: Number, sentences: Number, own: Number },
  indexes: [[{ accountId: 1, stem: 1, fileId: 1, version: 1 }, { unique: true }], [{ accountId: 1, fileId: 1 }]],
});
