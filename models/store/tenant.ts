import type { Query, Schema } from 'mongoose';
import { accountFilter } from './context.ts';

const SCOPED = [
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findOneAndReplace',
  'updateOne',
  'updateMany',
  'replaceOne',
  'deleteOne',
  'deleteMany',
  'countDocuments',
  'distinct',
] as const;

/**
 * Mongoose plugin: scopes every query of a customer's documents to the account of the work at hand, and refuses to
 * save a document into another one. Aggregations and unscoped counts are refused outright.
 */
export function scopeToAccount(schema: Schema): void {
  schema.add({ accountId: { type: Number, required: true, immutable: true } });

  schema.pre([...SCOPED], function scope(this: Query<unknown, unknown>) {
    const filter = accountFilter();
    if (filter.accountId === undefined) return;
    const asked = this.getFilter().accountId;
    if (asked !== undefined && asked !== filter.accountId) throw new Error('A query named another account.');
    this.where(filter);
  });
  schema.pre('save', function check() {
    const { accountId } = accountFilter();
    if (accountId !== undefined && this.get('accountId') !== accountId) {
      throw new Error('A document of another account was saved.');
    }
  });
  schema.pre('insertMany', function check(documents: unknown) {
    const { accountId } = accountFilter();
    const all = (Array.isArray(documents) ? documents : [documents]) as { accountId: number }[];
    if (accountId !== undefined && all.some((it) => it.accountId !== accountId)) {
      throw new Error('A document of another account was inserted.');
    }
  });
  schema.pre('aggregate', () => {
    throw new Error('Aggregations on customer data are not scoped: read and count in code.');
  });
  schema.pre('estimatedDocumentCount', () => {
    throw new Error('Counts over all accounts are not scoped: use countDocuments.');
  });
}
