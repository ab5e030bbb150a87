import { z } from 'zod';
import heldOut from './questions.heldOut.json' with { type: 'json' };
import seen from './questions.seen.json' with { type: 'json' };
import thirdHeld from './questions.thirdHeld.json' with { type: 'json' };
import thirdTune from './questions.thirdTune.json' with { type: 'json' };
import tune from './questions.tune.json' with { type: 'json' };
import tuneMore from './questions.tuneMore.json' with { type: 'json' };
import unseen from './questions.unseen.json' with { type: 'json' };

/** Entities whose rows stand in the result of an analysis, so that a label states them. */
export const ANALYSED = ['hazards', 'causes', 'controls', 'findings', 'tickets', 'matches', 'proposals'] as const;
/** Entities of the account, of which the worlds have nothing: a label names the entity alone. */
export const OF_THE_ACCOUNT = [
  'decisions',
  'analyses',
  'questions',
  'runs',
  'schedules',
  'documents',
  'credits',
  'members',
] as const;

/** Every intent but a query, with what a person wants. */
export const OTHER_INTENTS = [
  'about-one',
  'small-talk',
  'help',
  'identity',
  'status',
  'why',
  'change',
  'undo',
  'cancel',
  'files',
  'export',
  'clause',
  'rules',
  'incident',
  'other-agent',
  'access',
  'language',
  'goal',
  'work',
  'unknown',
] as const;

const expected = z.strictObject({
  /** The kind of row that is asked about. */
  entity: z.enum([...ANALYSED, ...OF_THE_ACCOUNT]).optional(),
  /**
   * The rows of the right answer: ids of hazards and findings, keys of tickets, proposed ids of proposals. An id that
   * two hazards have stands once for each that matches. A blank is not the value that a negation names, so its row
   * matches; a blank rating is neither above nor below anything. "Between" includes both ends.
   */
  ids: z.array(z.string()).optional(),
  /** How many rows match. */
  count: z.number().int().nonnegative().optional(),
  /** Set where the ids have to come in this order. */
  order: z.literal(true).optional(),
  /** How many rows have each value, by the value as written; blank is ''. */
  groups: z.record(z.string(), z.number().int().positive()).optional(),
  /** Words of the question that mean nothing in Arc; the answer says that it left them out. */
  leftOut: z.array(z.string()).nonempty().optional(),
  /** Texts that a right answer holds: a clause's number and edition, a document, a language's own name. */
  says: z.array(z.string()).nonempty().optional(),
  /** Set where the question can't be answered honestly: Arc asks or refuses, without a figure. */
  orAsk: z.literal(true).optional(),
  /** Set where the answer names no hazard at all. */
  namesNone: z.literal(true).optional(),
});

/** A question as a person types it, and what a right answer is. Its id starts with its kind: "negation-07". */
export const label = z.strictObject({
  id: z.string().regex(/^[a-z]+(-[a-z]+)*-\d{2,3}$/),
  world: z.enum(['sample', 'made-up']),
  text: z.string().min(1),
  intent: z.enum(['query', ...OTHER_INTENTS]),
  expect: expected,
});
export type Label = z.infer<typeof label>;

/** The kind of a label, by its id. */
export const kindOf = ({ id }: Label): string => id.replace(/-\d+$/, '');

/**
 * The labels as the files have them. `tune`, `tuneMore` and `heldOut` are the first set, `seen` and `unseen` the halves
 * of the second, `thirdTune` and `thirdHeld` those of the third, which somebody wrote who has not seen the code that
 * answers: the answers may be tuned on `tune`, `tuneMore`, `seen` and `thirdTune`, never on `heldOut`, `unseen` and
 * `thirdHeld`.
 */
export const LABEL_FILES = { tune, tuneMore, heldOut, seen, unseen, thirdTune, thirdHeld };
