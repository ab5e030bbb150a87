import mongoose, { type Model, Schema, type SchemaDefinition, type SchemaOptions } from 'mongoose';
import type { Migration } from './migration.ts';
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
  /** The field with a row's account id, where it is not `accountId`. */
  accountField?: string;
  /** The field with the id of the user that a row belongs to: the row is deleted with the user. */
  ownerField?: string;
  /**
   * Fields with people's names: next to the field with their id, or, without one, matched by the name itself. `isList`:
   * the fields are those of each element of a list, e.g. `decidedBy.name`.
   */
  names?: readonly { name: string; userId?: string; isList?: boolean }[];
  /** Migrations from each version to the next, oldest first; the row's version follows from their number. */
  migrations?: readonly Migration[];
};

/** Migrations by collection. */
const known = new Map<string, readonly Migration[]>();

/** The migrations of a collection, oldest first. */
export const migrationsOf = (collection: string): readonly Migration[] => known.get(collection) ?? [];

/** Name fields by collection. */
const named = new Map<string, NonNullable<Definition['names']>>();

/** All fields with people's names, over all collections. */
export const placesOfNames = (): ({ collection: string } & NonNullable<Definition['names']>[number])[] =>
  [...named].flatMap(([collection, places]) => places.map((place) => ({ collection, ...place })));

/** Account id fields by collection, where they are not `accountId`. */
const accountFields = new Map<string, string>();

/** The account id field of a collection. */
export const accountFieldOf = (collection: string): string => accountFields.get(collection) ?? 'accountId';

/** The field with the owning user's id, for collections whose rows belong to one person. */
const ownerFields = new Map<string, string>();

/** All collections whose rows belong to one person. */
export const placesOfOwners = (): { collection: string; field: string }[] =>
  [...ownerFields].map(([collection, field]) => ({ collection, field }));

/** The current schema version of a collection; 1 where there are no migrations. */
export const schemaVersionOf = (collection: string): number => migrationsOf(collection).length + 1;

/** A query under construction; `lean` returns plain rows. */
type Asking<Found> = {
  sort(by: Record<string, 1 | -1>): Asking<Found>;
  limit(most: number): Asking<Found>;
  skip(first: number): Asking<Found>;
  /** The cursor reads rows in batches. */
  lean(): Promise<Found> & { cursor(): AsyncIterable<Found extends (infer Row)[] ? Row : Found> };
};
type Projection = Record<string, number>;
type Reading<Row> = {
  find(filter: Filter, projection?: Projection): Asking<Row[]>;
  findOne(filter: Filter, projection?: Projection): Asking<Row | null>;
  findById(id: unknown, projection?: Projection): Asking<Row | null>;
  findOneAndUpdate(filter: Filter, update: object, options?: object): Asking<Row | null>;
};
type Filter = Record<string, unknown>;

/** A mongoose model whose reads return `Row`. Mongoose's own inferred types are slow to compile and less precise. */
export type Entity<Row> = Omit<Model<Row>, keyof Reading<Row>> & Reading<Row> & Holds<Row>;

/** A collection with rows of a type; `holds` exists for the compiler only. */
export type Holds<Row> = { readonly holds?: Row; readonly collection: Model<unknown>['collection'] };

/** The used part of mongoose's Schema, without its slow type inference. */
type SchemaMaker = new (
  fields: SchemaDefinition,
  options: SchemaOptions,
) => {
  plugin(plugin: (schema: Schema) => void): void;
  index(keys: Index[0], options: Index[1]): void;
};

/** Declares an entity: one collection with schema, indexes and schema version. */
export function entity<Row>(it: Definition): Entity<Row> {
  const standing = mongoose.models[it.name];
  if (standing) return standing as unknown as Entity<Row>;
  known.set(it.collection, it.migrations ?? []);
  named.set(it.collection, it.names ?? []);
  if (it.accountField) accountFields.set(it.collection, it.accountField);
  if (it.ownerField) ownerFields.set(it.collection, it.ownerField);
  const schemaVersion = { type: Number, default: schemaVersionOf(it.collection) };
  const fields: SchemaDefinition = { ...it.fields, schemaVersion };
  const options: SchemaOptions = { collection: it.collection, versionKey: false, minimize: false, id: false };
  const schema = new (Schema as unknown as SchemaMaker)(fields, { ...options, strict: true, ...it.options });
  if (it.scope === 'customer') schema.plugin(scopeToAccount);
  for (const [keys, how] of it.indexes ?? []) schema.index(keys, how);
  return mongoose.model(it.name, schema as never) as unknown as Entity<Row>;
}
