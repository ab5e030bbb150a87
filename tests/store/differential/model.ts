import { Double } from 'bson';
import type { Command } from './commands.ts';
import { matches } from './filters.ts';
import { aggregated, distinctValues, projected, sorted } from './queries.ts';
import { Failure, inserted, updated } from './updates.ts';
import { copy, type Doc, equal, isNumber, numberOf, shown, type Value } from './values.ts';

/** What a command answers: documents or counts, or a code. */
export type Answer = { values: Value } | { code: number };

/** A value whose numbers have lost their type, for answers that may have any of several equal values. */
export function untyped(value: Value): Value {
  if (isNumber(value)) return new Double(numberOf(value));
  return Array.isArray(value) ? value.map(untyped) : value;
}

/** Documents of groups, whose order and whose sets' order say nothing. */
export const unordered = (docs: Doc[], pipeline: Doc[]): string[] => {
  const isSet = JSON.stringify(pipeline).includes('$addToSet');
  return docs.map((doc) => shown(isSet && Array.isArray(doc.v) ? { ...doc, v: doc.v.map(shown).sort() } : doc)).sort();
};

/** A collection as MongoDB's documentation has it, with one unique field where `isUnique`. */
export class Model {
  docs: Doc[] = [];
  private readonly isUnique: boolean;

  constructor(isUnique: boolean) {
    this.isUnique = isUnique;
  }

  answer(command: Command): Answer {
    const before = this.docs.map(copy);
    try {
      return { values: this.run(command) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.docs = before;
      return { code: error.code };
    }
  }

  /** Puts a document in the place of another, or behind all; throws code 11000. */
  private put(doc: Doc, at = this.docs.length): void {
    const clashes = (field: string) =>
      doc[field] !== undefined &&
      this.docs.some((other, i) => i !== at && equal(other[field] ?? null, doc[field]) && other[field] !== undefined);
    if (clashes('_id') || (this.isUnique && clashes('u'))) throw new Failure(11000);
    this.docs[at] = doc;
  }

  private run(command: Command): Value {
    if (command.kind === 'insert') {
      this.put(copy(command.doc));
      return 1;
    }
    if (command.kind === 'aggregate') return unordered(aggregated(this.docs, command.pipeline), command.pipeline);
    const found = this.docs.filter((doc) => matches(doc, command.filter));
    switch (command.kind) {
      case 'count':
        return found.length;
      case 'distinct':
        return distinctValues(found, command.key).map(untyped);
      case 'find': {
        const { skip, limit, projection, sort } = command;
        const part = sorted(found, sort).slice(skip, limit === 0 ? undefined : skip + limit);
        return part.map((doc) => (Object.keys(projection).length > 0 ? projected(doc, projection) : doc));
      }
      case 'delete':
        this.docs = this.docs.filter((doc) => !found.includes(doc));
        return found.length;
      case 'update': {
        if (found.length === 0 && command.upsert) {
          this.put(inserted(command.filter, command.update));
          return [0, 1];
        }
        for (const doc of found) this.put(updated(doc, command.update, false), this.docs.indexOf(doc));
        return [found.length, 0];
      }
      case 'findAndModify': {
        const [doc] = sorted(found, command.sort);
        if (!doc) return null;
        const at = this.docs.indexOf(doc);
        if (command.update) this.put(updated(doc, command.update, false), at);
        else this.docs.splice(at, 1);
        const shownDoc = command.update && command.isNew ? this.docs[at]! : doc;
        return Object.keys(command.fields).length > 0 ? projected(shownDoc, command.fields) : shownDoc;
      }
    }
  }
}
