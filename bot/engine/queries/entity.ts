/** A field's value in one row; null where there is none. */
export type Value = string | number | boolean | null;

type Shared = {
  id: string;
  /**
   * The phrases that name it, in lower case. A phrase of two fields, such as "risk", is answered for both, in the order
   * of the fields.
   */
  names: readonly string[];
  /** "recorded residual risk", "status": as it follows an article. */
  noun: string;
  /** "a status" and "no status". */
  has: string;
  lacks: string;
  /** Further phrases that say that a row has none: "unowned". */
  blank?: readonly string[];
  /** Why it can't be answered where no row has one, e.g. because the file has no such column. */
  refused?: string | null;
  /** Set where it is about what has happened, so that "was" and "did" say nothing more: who added a document. */
  isPast?: true;
  /** A sentence below an answer about rows that have or lack it. */
  note?(): string | null;
};

/** A field of a kind of row. */
export type Field<Row> = Shared &
  /** `hasFractions`: "2.5" is a number of it. */
  (
    | { kind: 'number'; read(row: Row): number | null; hasFractions?: true }
    /** Of a list: how many there are. */
    | { kind: 'count'; read(row: Row): number }
    | {
        kind: 'choice';
        read(row: Row): string | null;
        /** Phrases before a value that name the field: "owned by". */
        before?: readonly string[];
        /** Phrases behind a value that name the field: "own". Such a value may also be a genitive: "Dr Ahmed's". */
        behind?: readonly string[];
        /** Only values after a phrase of `before` or beside the field's name are read as values. */
        isNamed?: boolean;
        /** Set where values are people, who may be called by one of their names. */
        isPerson?: true;
        /** A text: it is asked only whether a row has one. */
        isText?: boolean;
        /** Values that people ask for even where no row has them. */
        usual?: readonly string[];
        /** Values from the lowest to the highest. */
        order?: readonly string[];
        /** Whether another value is too near to the asked one to answer without asking: "Re-opened" beside "Open". */
        isNear?(asked: string, other: string): boolean;
      }
    | {
        kind: 'flag';
        read(row: Row): boolean | null;
        yes: Flag;
        no: Flag;
      }
  );

/** One side of a flag. */
type Flag = {
  /** "covered", "named in the log". */
  words: readonly string[];
  says: Phrase;
};

/** A condition in words: "have" + "a status", "are" + "covered". */
export type Phrase = { verb: keyof typeof VERBS; rest: string };

/** Verbs of several rows, with the form for one row. */
export const VERBS = { have: 'has', are: 'is', mention: 'mentions', belong: 'belongs', concern: 'concerns' } as const;

/** The nouns for a kind of row. */
export type Nouns = {
  /** "ticket" and "tickets". */
  one: string;
  many: string;
  /** Further nouns for it. */
  names?: readonly string[];
};

/** Rows of another kind that belong to a row: the leaks of a pipe, the pipe of a leak. */
export type Relation<Row> = {
  id: string;
  to(): Entity;
  /** What a row and those of the other kind share. */
  keys(row: Row): readonly string[];
  keysOf(other: unknown): readonly string[];
  /** "belong" and "to": "belong to a pipe that is shut". */
  verb: Phrase['verb'];
  before?: string;
  /** Phrases between the rows and those of the other kind, beside "with", "of" and their like: "matched to". */
  links?: readonly string[];
  /** The same where they say that there is none. */
  unlinks?: readonly string[];
  /** A sentence below an answer: what does not count as belonging to it. */
  note?: string;
};

/** A kind of row that can be asked for, with the rows of one account. */
export type Entity<Row = unknown> = Nouns & {
  id: string;
  rows: readonly Row[];
  fields: readonly Field<Row>[];
  relations?: readonly Relation<Row>[];
  /** The number that is meant where a question gives only a bound: "entries over 50". */
  measure?: string;
  /** What every answer about it has to say, such as that older rows were not looked at. */
  remark?: string | null;
  /** The key of a row in its table; absent where the kind of row has none. */
  keyOf?(row: Row): string;
  /** A row in a list: "T-12: The total is wrong". */
  line(row: Row): string;
  /** The passages of that line that are somebody's words, such as the name of a file: they prove nothing. */
  outside?(row: Row): (string | null | undefined)[];
};
