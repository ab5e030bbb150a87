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
  [
    { is: 'count' },
    'how many of our, how many different, what number of, what is number of, tally of, quantity of, amount of, how many, hw many, howmany, number of, total of, count, count of, total number of, how many of',
  ],
  [
    { is: 'fill' },
    "which, what, which of, what of, list, list of, show, show me, find, find me, give, give me, tell, tell me, display, are, is, be, been, am, do, does, there, are there, is there, there are, there is, do we have, have we, we have, did we have, of, that, who, whose, what's, who's, where's, which are, me, us, i, we, you, have, any, exist, can you list, can you show, can you tell, could you list, could you show, can you show me, could you show me, can you tell me, could you tell me, would you list, i want to see, i would like to see, i need to see, i want to know, i would like to know, let me see, please, thanks, hi, hello, great, ok, okay, and now, right now, at the moment, at present, today's, in total, overall, altogether, still, currently, recorded, exactly how many, their, its, ones, either, show all, list all, at all, where, got, at, among, inclusive, incl, remain, remains, did you read, did you find, did you see, do you propose, did you propose, do you see, do you have, do you know, do you know of, to show me, to show, to see, to list, to know, scored, scoring, sitting, standing, sort, rank, order, arrange, group, split, breakdown, breakdown of, distribution, overview of, table of, marked, could i see, can i see, may i see, their own, of their own, rated, rated as, in, for, on, it, them, those, these, so far, as yet, by now, up to now, already, some that, some that are, written down, noted down, give me all, show me all, with number of each, with numbers, here, in here, on here, stored, stored here, kept, kept here, on file, on record, on books, on list, as things stand, as it stands, as of today, as of now, today, these days, this time, actually, really, basically, quickly, for me, for us, there's, there is any, are there any, any of, some of, all of, which of, every one of, each of, one of, each one of, of ones, one, full list of, tally, tally of, all told, in all, being, as, did you go through, did you look at, did you look through, did you analyse, did you process, did you come across, did you receive, have you found, have you read, have you got, have you looked at, have you gone through, you found, you read, you have, you looked at, you went through, were read, were found, were analysed, you know of, you know about, we hold, we keep, on account, to do with them, there in, exist in, come out as, comes out as, currently sitting, come in, came in, show up, showing, listed, happen to be, for their, for its, anywhere, against them, against it, against any of them, for them, to them, on them, of them, all of which, at any point, in question, out there, count up, full, with me, they, altogether, in there, to date, now, what ones, the ones, ones that, those that, those which, those with",
  ],
  [
    { is: 'have' },
    'those with, ones with, that come with, that has, which has, carries, holding, containing, contains, have any, has any, have got, has got, with any, that carry, have, has, all with, had, having, with, that have, which have, who have, carry, carrying, contain',
  ],
  [
    { is: 'not' },
    "is no, are no, anything but, all but, everything but, ignoring, leaving out, leaving aside, bar, minus, save for, never, not currently, not actually, not really, that are not, which are not, who are not, who is not, that is not, have never been, has never been, has not been, have not been, not marked as, not marked, other than ones, excluding anything, excluding any, excluding those, excluding ones, except ones, except those, except any, except anything, yet to become, fail to be, not, aren't, isn't, don't, doesn't, haven't, hasn't, are not, is not, do not, does not, have not, has not, other than, except, except for, apart from, excluding, different from, outside, outside of, not the, do not have, does not have, don't have, doesn't have, not yet, are not yet, not been, yet to be, are yet to be, have yet to be, still to be, are still to be, remain to be, remains to be, someone other than, somebody other than, anyone other than, anyone but, anybody but",
  ],
  [
    { is: 'lack' },
    "not having, not have, not have any, do not have any, does not have any, do not have, does not have, have not got, has not got, haven't got, hasn't got, haven't any, hasn't any, have not any, are not given any, did not get, have yet to get, in need of, waiting for, still waiting for, still need, still needs, is lacking, are lacking, devoid of, free of, free from, with zero, with nothing for, nothing for, nothing under, nothing in, with none of, with nothing in, not filled, not got, have nothing in, have nothing for, not been given, has not been given, have not been given, was not given, were not given, no, w / o, without, without any, lack, lacks, lacking, missing, blank, empty, have no, has no, with no, are missing, is missing, that lack, that have no, are without, is without, not given, not recorded, not stated, not set, not filled in, not named, not known, not assigned, unknown, unstated, unset, is unset, unrecorded, left blank, is not given, is not recorded, is not stated, is not set, is not known, are not given, are not recorded, are not stated, are not known, is unknown, are unknown, is blank, are blank, is empty, are empty, never got, never given, were never given, nobody has given, nobody gave, no one has given",
  ],
  [{ is: 'and' }, 'and, but, yet, and also, but also, as well as, that also, which also, &'],
  [{ is: 'or' }, 'or, or else, /'],
  [{ is: 'nor' }, 'nor'],
  [{ is: 'neither' }, 'neither, are neither, have neither'],
  [{ is: 'between' }, 'between, from'],
  [{ is: 'same' }, 'same as, the same as, same, equal to, unchanged from, equals'],
  [
    { is: 'group' },
    'for every, by each, across, under each, against each, according to, with each, per each, divided by, counted by, organised by, organized by, arranged by, sorted into, by, per, for each, in each, at each, of each, has each, each, grouped by, group by, broken down by, split by',
  ],
  [
    { is: 'sort' },
    'in order of, in descending order of, in order by, order of, prioritised by, prioritized by, listed by, arranged in order of, sorted by, sort by, ordered by, order by, ranked by, rank by',
  ],
  [{ is: 'first' }, 'first'],
  [{ is: 'top' }, 'top'],
  [
    operator('>='),
    'at or above, at or over, upwards of, no lower than, not lower than, no smaller than, not smaller than, not under, no better than, not better than, equal or above, above or equal to, higher than or equal to, from at least, of at least, at very least, reaching, reach, reaches, reached, hitting, hit, hits, at least, >=, ≥, no less than, not less than, no fewer than, not below, greater than or equal to, more than or equal to, equal to or above, minimum of, a minimum of',
  ],
  [
    operator('<='),
    'at or below, at or under, no higher than, not higher than, no greater than, not greater than, no bigger than, no larger than, not over, no worse than, not worse than, not exceeding, does not exceed, do not exceed, that do not exceed, up to and including, equal or below, below or equal to, of at most, at very most, capped at, at most, <=, ≤, up to, no more than, not more than, not above, less than or equal to, lower than or equal to, equal to or below, maximum of, a maximum of',
  ],
  [
    operator('>'),
    'north of, upward of, greater then, higher then, more then, bigger then, above, over, more than, greater than, higher than, bigger than, larger than, exceeding, exceeds, exceed, in excess of, worse than, >',
  ],
  [
    operator('<'),
    'short of, south of, beneath, lower then, less then, fewer then, smaller then, below, under, less than, fewer than, lower than, smaller than, better than, <',
  ],
  [operator('='), 'exactly, =, equal to'],
  [
    bound('>='),
    'or above it, or beyond, or upwards, and upwards, upwards, plus, or bigger, or larger, and beyond, or above, or more, or higher, or over, or greater, or up, or worse, and above, and more, and higher, and over, and greater, and up, +',
  ],
  [
    bound('<='),
    'or below it, or smaller, or down, or fewer than that, at most, max, maximum, tops, or below, or less, or lower, or under, or fewer, or better, and below, and less, and lower, and under, and fewer',
  ],
  [
    order(true),
    'most expensive, dearest, costliest, priciest, highest, largest, biggest, greatest, most, maximum, worst, highest first, biggest first, largest first, worst first, most first, descending, highest to lowest, from highest to lowest, from high to low, high to low, biggest to smallest, most to fewest, worst to best, top down, from top down, in descending order, descending order, in decreasing order, decreasing, starting with highest, starting with worst, starting with biggest, with highest first, highest at top, with highest at top, from highest down, from worst down, from highest',
  ],
  [
    order(false),
    'cheapest, least expensive, lowest, smallest, fewest, least, minimum, lowest first, smallest first, fewest first, ascending, lowest to highest, from lowest to highest, from low to high, low to high, smallest to biggest, fewest to most, best to worst, bottom up, from bottom up, in ascending order, ascending order, in increasing order, increasing, starting with lowest, starting with smallest, with lowest first, lowest at top, with lowest at top, from lowest up, from lowest',
  ],
  [{ is: 'number', number: 1 }, 'only one, just one, single, exactly one'],
  ...COUNTS.map((word, number): [Grammar, string] => [{ is: 'number', number }, word]),
];

/** The functions that each phrase may have. */
export const GRAMMAR: ReadonlyMap<string, readonly Grammar[]> = PHRASES.reduce((all, [does, phrases]) => {
  for (const phrase of phrases.split(', ')) all.set(phrase, [...(all.get(phrase) ?? []), does]);
  return all;
}, new Map<string, Grammar[]>());

/** Words before a field that say only that rows have one: "without a named owner". */
export const SAYS_PRESENT = new Set(
  'named assigned recorded stated given listed written documented actual known clear single'.split(' '),
);

/**
 * Words that a question may not leave out: what was, what may be, and whose it is. Without them the answer would be to
 * another question.
 */
export const NEVER_LEFT_OUT = new Set(
  'was were to did can could should must need needs may might would will shall my mine our nobody everybody everyone anybody somebody all always if than then too enough yet only both average mean sum total log logs file files format allowed possible fine right enough better true share percentage percent proportion ever why how when who whom'.split(
    ' ',
  ),
);
