import type { Types } from 'mongoose';
import { entity } from '../store/entity.ts';

/** Somebody who does not want to be written to, or a domain of which nobody does. It holds for every later list. */
type OptOutRow = {
  _id: Types.ObjectId;
  accountId: number;
  kind: 'person' | 'domain';
  /** The address or the domain, in the form in which addresses are compared. */
  value: string;
  createdAt: Date;
};

export const OptOut = entity<OptOutRow>({
  name: 'OptOut',
  collection: 'optOuts',
  scope: 'customer',
  fields: { kind: String, value: String, createdAt: { type: Date, default: Date.now } },
  indexes: [[{ accountId: 1, kind: 1, value: 1 }, { unique: true }]],
});
