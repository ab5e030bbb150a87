import type { Operator } from '../../../models/contracts/askedQuery.ts';

/** The functions of phrases in a question, whatever it is about. */
export type Grammar =
  | { is: 'not' | 'lack' | 'have' | 'and' | 'or' | 'nor' | 'neither' | 'between' | 'same' | 'count' | 'group' | 'sort' }
  | { is: 'fill' | 'first' | 'top' }
  | { is: 'operator' | 'bound'; operator: Operator }
  | { is: 'order'; highestFirst: boolean }
  | { is: 'number'; number: number };

const COUNTS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const operator = (sign: Operator): Grammar => ({ is: 'operator', operator: sign });
const bound = (sign: Operator): Grammar => ({ is: 'bound', operator: sign });
const order = (highestFirst: boolean): Grammar => ({ is: 'order', highestFirst });

/** Phrases by what they do, separated by commas. The longest phrase at a place counts. */
const PHRASES: readonly [Grammar, string][] = [
  [{ is: 'count' }, 'how many, hw many, howmany, number of, total of, count, count of, total number of, how many of'],
  [
    { is: 'fill' },
    "which, what, which of, what of, list, list of, show, show me, find, find me, give, give me, tell, tell me, display, are, is, be, been, am, do, does, there, are there, is there, there are, there is, do we have, have we, we have, did we have, of, that, who, whose, what's, who's, where's, which are, me, us, i, we, you, have, any, exist, can you list, can you show, can you tell, could you list, could you show, can you show me, could you show me, can you tell me, could you tell me, would you list, i want to see, i would like to see, i need to see, i want to know, i would like to know, let me see, please, thanks, hi, hello, great, ok, okay, and now, right now, at the moment, at present, today's, in total, overall, altogether, still, currently, recorded, exactly how many, their, its, ones, either, show all, list all, at all, where, got, at, among, inclusive, remain, remains, did you read, did you find, did you see, do you propose, did you propose, do you see, do you have, do you know, do you know of, to show me, to show, to see, to list, to know, scored, scoring, sitting, standing, sort, rank, order, arrange, group, split, breakdown, breakdown of, distribution, overview of, table of, marked, could i see, can i see, may i see, their own, of their own, rated, rated as, in, for, on, it, them, those, these, so far, as yet, by now, up to now, already, some that, some that are, written down, noted down, give me all, show me all, with number of each, with numbers",
  ],
  [{ is: 'have' }, 'have, has, all with, had, having, with, that have, which have, who have, carry, carrying, contain'],
  [
    { is: 'not' },
    "not, aren't, isn't, don't, doesn't, haven't, hasn't, are not, is not, do not, does not, have not, has not, other than, except, except for, apart from, excluding, different from, outside, outside of, not the, do not have, does not have, don't have, doesn't have, not yet, are not yet, not been, yet to be, are yet to be, have yet to be, still to be, are still to be, remain to be, remains to be, someone other than, somebody other than, anyone other than, anyone but, anybody but",
  ],
  [
    { is: 'lack' },
    'no, w / o, without, without any, lack, lacks, lacking, missing, blank, empty, have no, has no, with no, are missing, is missing, that lack, that have no, are without, is without, not given, not recorded, not stated, not set, not filled in, not named, not known, not assigned, unknown, unstated, unset, is unset, unrecorded, left blank, is not given, is not recorded, is not stated, is not set, is not known, are not given, are not recorded, are not stated, are not known, is unknown, are unknown, is blank, are blank, is empty, are empty, never got, never given, were never given, nobody has given, nobody gave, no one has given',
  ],
  [{ is: 'and' }, 'and, but, yet, and also, but also, as well as, that also, which also, &'],
  [{ is: 'or' }, 'or, or else, /'],
  [{ is: 'nor' }, 'nor'],
  [{ is: 'neither' }, 'neither, are neither, have neither'],
  [{ is: 'between' }, 'between, from'],
  [{ is: 'same' }, 'same as, the same as, same, equal to, unchanged from, equals'],
  [
    { is: 'group' },
    'by, per, for each, in each, at each, of each, has each, each, grouped by, group by, broken down by, split by',
  ],
  [{ is: 'sort' }, 'sorted by, sort by, ordered by, order by, ranked by, rank by'],
  [{ is: 'first' }, 'first'],
  [{ is: 'top' }, 'top'],
  [
    operator('>='),
    'at least, >=, ≥, no less than, not less than, no fewer than, not below, greater than or equal to, more than or equal to, equal to or above, minimum of, a minimum of',
  ],
  [
    operator('<='),
    'at most, <=, ≤, up to, no more than, not more than, not above, less than or equal to, lower than or equal to, equal to or below, maximum of, a maximum of',
  ],
  [
    operator('>'),
    'above, over, more than, greater than, higher than, bigger than, larger than, exceeding, exceeds, exceed, in excess of, worse than, >',
  ],
  [operator('<'), 'below, under, less than, fewer than, lower than, smaller than, better than, <'],
  [operator('='), 'exactly, =, equal to'],
  [
    bound('>='),
    'or above, or more, or higher, or over, or greater, or up, or worse, and above, and more, and higher, and over, and greater, and up, +',
  ],
  [
    bound('<='),
    'or below, or less, or lower, or under, or fewer, or better, and below, and less, and lower, and under, and fewer',
  ],
  [
    order(true),
    'highest, largest, biggest, greatest, most, maximum, worst, highest first, biggest first, largest first, descending',
  ],
  [order(false), 'lowest, smallest, fewest, least, minimum, lowest first, smallest first, ascending'],
  [{ is: 'number', number: 1 }, 'only one, just one, single, exactly one'],
  ...COUNTS.map((word, number): [Grammar, string] => [{ is: 'number', number }, word]),
];

/** The functions that each phrase may have. */
export const GRAMMAR: ReadonlyMap<string, readonly Grammar[]> = PHRASES.reduce((all, [does, phrases]) => {
  for (const phrase of phrases.split(', ')) all.set(phrase, [...(all.get(phrase) ?? []), does]);
  return all;
}, new Map<string, Grammar[]>());

/**
 * Words that a question may not leave out: what was, what may be, and whose it is. Without them the answer would be to
 * another question.
 */
export const NEVER_LEFT_OUT = new Set(
  'was were to did can could should must need needs may might would will shall my mine our nobody everybody everyone anybody somebody all always if than then too enough yet only both average mean sum total share percentage percent proportion ever why how when who whom'.split(
    ' ',
  ),
);
