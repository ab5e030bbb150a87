import mongoose, { type Model, Schema, type SchemaDefinition, type SchemaOptions } from 'mongoose';
import { scopeToAccount } from './tenant.ts';

type Index = [fields: Record<string, 1 | -1>, options?: Record<string, unknown>];
type Definition = {
  name: string;
  collection: string;
  /** customer: carries accountId and every query is scoped; system: read before an account is known. */
  scope: 'customer' | 'system';
  fields: SchemaDefinition;
  indexes?: Index[];
  options?: SchemaOptions;
  version?: number;
};

/** Declares an entity: one collection, one schema, its indexes, its schemaVersion. */
export function entity<Row>(it: Definition): Model<Row> {
  const known = mongoose.models[it.name];
  if (known) return known as Model<Row>;
  const schema = new Schema({ ...it.fields, schemaVersion: { type: Number, default: it.version ?? 1 } }, {
    collection: it.collection,
    versionKey: false,
    minimize: false,
    id: false,
    strict: true,
    ...it.options,
  } as SchemaOptions);
  if (it.scope === 'customer') schema.plugin(scopeToAccount);
  for (const [fields, options] of it.indexes ?? []) schema.index(fields, options);
  return mongoose.model(it.name, schema) as unknown as Model<Row>;
}
