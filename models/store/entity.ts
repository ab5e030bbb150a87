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

/**
 * A model, and what its rows are. Who needs no more than the rows asks for {@link Holds}: to compare two of mongoose's
 * models takes the compiler five seconds.
 */
export type Entity<Row> = Model<Row> & Holds<Row>;

/** A collection that holds rows of a kind; `holds` is for the compiler alone and is never there. */
export type Holds<Row> = { readonly holds?: Row; readonly collection: Model<unknown>['collection'] };

/** What is used here of mongoose's schema: all that it infers of its fields takes the compiler longer than all else. */
type SchemaMaker = new (
  fields: SchemaDefinition,
  options: SchemaOptions,
) => {
  plugin(plugin: (schema: Schema) => void): void;
  index(keys: Index[0], options: Index[1]): void;
};

/** Declares an entity: one collection, one schema, its indexes, its schemaVersion. */
export function entity<Row>(it: Definition): Entity<Row> {
  const known = mongoose.models[it.name];
  if (known) return known as unknown as Entity<Row>;
  const fields: SchemaDefinition = { ...it.fields, schemaVersion: { type: Number, default: it.version ?? 1 } };
  const options: SchemaOptions = { collection: it.collection, versionKey: false, minimize: false, id: false };
  const schema = new (Schema as unknown as SchemaMaker)(fields, { ...options, strict: true, ...it.options });
  if (it.scope === 'customer') schema.plugin(scopeToAccount);
  for (const [keys, how] of it.indexes ?? []) schema.index(keys, how);
  return mongoose.model(it.name, schema as never) as unknown as Entity<Row>;
}
