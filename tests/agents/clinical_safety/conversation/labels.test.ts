import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type AnalysisResult, analysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { ANALYSED, kindOf, LABEL_FILES, type Label, label, OF_THE_ACCOUNT, OTHER_INTENTS } from './labels.ts';
import { readWorlds } from './worlds.ts';

const read = (file: unknown): Label[] => z.array(label).parse(file);
const TUNE = read(LABEL_FILES.tune);
const TUNE_MORE = read(LABEL_FILES.tuneMore);
const HELD_OUT = read(LABEL_FILES.heldOut);
/** The two files that are halves of one set. */
const HALVES = [...TUNE, ...HELD_OUT];
const LABELS = [...HALVES, ...TUNE_MORE];
const QUERIES = LABELS.filter(({ intent }) => intent === 'query');

/** Words that make a question of a kind; a label of that kind has at least one of them. */
const SAID = {
  negation:
    /\b(not?|never|nobody|none|neither|nor|without|except|other than|lacking|blank|excluding|un\w+)\b|n't\b|n’t\b|\b(havent|arent|didnt)\b/i,
  threshold:
    /\b(above|over|below|under|lower|higher|greater|at least|at most|more than|fewer than|not more|or more|or less|between)\b/i,
  count: /\b(how many|hw many|count|number|breakdown|total)\b/i,
};
const SMALL_WORDS = new Set(
  'the a an of is are in on for to and or with which what how many me i you please do does we have has that it'.split(
    ' ',
  ),
);

const wordsOf = (text: string) =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? []).filter((word) => !SMALL_WORDS.has(word)));
/** The share of words that two questions have in common, of all their words. */
function nearness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}
const named = (labels: readonly Label[]) => labels.map(({ id, text }) => `${id}: ${text}`);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

let worlds: Record<Label['world'], AnalysisResult>;
beforeAll(async () => {
  worlds = await readWorlds();
});

/** The rows of an entity, each by the id that a label names it by; those without one have the hazard's. */
function rowsOf(result: AnalysisResult, entity: Label['expect']['entity']): string[] {
  const { existingHazards, findings, tickets, newHazards } = result;
  if (entity === 'hazards') return existingHazards.map(({ id }) => id);
  if (entity === 'findings') return findings.map(({ id }) => id);
  if (entity === 'tickets') return tickets.map(({ key }) => key);
  if (entity === 'proposals') return newHazards.map(({ proposedId }) => proposedId);
  if (entity === 'causes') return existingHazards.flatMap(({ id, causes }) => causes.map(() => id));
  if (entity === 'controls') return existingHazards.flatMap(({ id, controls }) => controls.map(() => id));
  if (entity === 'matches') return tickets.flatMap(({ possible = [] }) => possible.map(({ hazardId }) => hazardId));
  return [];
}
const NAMED_BY_ID: readonly unknown[] = ['hazards', 'findings', 'tickets', 'proposals'];
const includes = (list: readonly unknown[], value: unknown) => list.includes(value);
const timesOf = (list: readonly string[], id: string) => list.filter((it) => it === id).length;

describe('the labelled questions', () => {
  test('are 125 to tune on, 120 more queries and 125 held out, no id and no text twice', () => {
    expect([TUNE.length, TUNE_MORE.length, HELD_OUT.length]).toEqual([125, 120, 125]);
    expect(TUNE_MORE.filter(({ intent }) => intent !== 'query')).toEqual([]);
    expect(new Set(LABELS.map(({ id }) => id)).size).toBe(370);
    expect(new Set(LABELS.map(({ text }) => text.trim().toLowerCase())).size).toBe(370);
  });

  test('include at least 110 queries with a negation, a threshold or a count, each in so many words', () => {
    const hard = QUERIES.filter((it) => kindOf(it) in SAID);
    expect(hard.filter((it) => HALVES.includes(it)).length).toBeGreaterThanOrEqual(110);
    const unsaid = hard.filter((it) => !SAID[kindOf(it) as keyof typeof SAID].test(it.text));
    expect(named(unsaid)).toEqual([]);
  });

  test('include at least 30 of small talk and five of every other intent, in both files', () => {
    const of = (labels: readonly Label[], intent: string) => labels.filter((it) => it.intent === intent).length;
    expect(of(LABELS, 'small-talk')).toBeGreaterThanOrEqual(30);
    for (const intent of OTHER_INTENTS) {
      expect({ intent, labels: of(LABELS, intent) >= 5 }).toEqual({ intent, labels: true });
      const difference = Math.abs(of(TUNE, intent) - of(HELD_OUT, intent));
      expect({ intent, even: difference <= 1 }).toEqual({ intent, even: true });
    }
  });

  test('are about both worlds in every file', () => {
    const madeUp = (labels: readonly Label[]) => labels.filter(({ world }) => world === 'made-up').length;
    expect(madeUp(HALVES)).toBeGreaterThanOrEqual(35);
    expect(madeUp(TUNE_MORE)).toBeGreaterThanOrEqual(35);
    expect(Math.abs(madeUp(TUNE) - madeUp(HELD_OUT))).toBeLessThanOrEqual(2);
  });

  test('have no near-twin in the other file', () => {
    const words = new Map(LABELS.map(({ id, text }) => [id, wordsOf(text)]));
    const of = ({ id }: Label) => words.get(id) ?? new Set<string>();
    const twins = TUNE.flatMap((one) =>
      HELD_OUT.filter((other) => nearness(of(one), of(other)) > 0.5).map((other) => `${one.id} ~ ${other.id}`),
    );
    expect(twins).toEqual([]);
  });

  test('to tune on further share at most half of their words with any that is held out', () => {
    const near = TUNE_MORE.flatMap((one) => {
      const words = [...wordsOf(one.text)];
      return HELD_OUT.filter((other) => {
        const others = wordsOf(other.text);
        return words.filter((word) => others.has(word)).length * 2 > words.length;
      }).map((other) => `${one.id} ~ ${other.id}`);
    });
    expect(near).toEqual([]);
  });
});

describe('what a right answer is', () => {
  test('names rows of its world, none more often than the world has it', () => {
    const missing = LABELS.filter(({ world, expect: { entity, ids = [] } }) => {
      const rows = rowsOf(worlds[world], entity);
      return ids.some((id) => timesOf(rows, id) < timesOf(ids, id));
    });
    expect(named(missing)).toEqual([]);
    const unnamed = LABELS.filter(({ expect: { entity, ids } }) => ids && !includes(NAMED_BY_ID, entity));
    expect(named(unnamed)).toEqual([]);
  });

  test('counts as many rows as it names, and never more than there are', () => {
    const wrong = LABELS.filter(({ world, expect: { entity, ids, count, groups = {} } }) => {
      const all = rowsOf(worlds[world], entity).length;
      return (
        (ids && count !== undefined && ids.length !== count) || Math.max(count ?? 0, sum(Object.values(groups))) > all
      );
    });
    expect(named(wrong)).toEqual([]);
  });

  test('groups by values that the world has', () => {
    const strange = LABELS.flatMap(({ id, world, expect: { entity, groups } }) => {
      if (!groups) return [];
      const { existingHazards, findings, tickets, newHazards } = worlds[world];
      const rows = { findings, tickets, proposals: newHazards }[entity as string] ?? existingHazards;
      const text = JSON.stringify(rows);
      const has = (value: string) => text.includes(`:${JSON.stringify(value || null)}`) || text.includes(`:${value},`);
      return Object.keys(groups)
        .filter((value) => !has(value))
        .map((value) => `${id}: ${value}`);
    });
    expect(strange).toEqual([]);
  });

  test('of a query is rows, a figure, groups, or a question back; of the account’s rows their name alone', () => {
    const figures = ({ ids, count, groups }: Label['expect']) => [ids, count, groups].some((it) => it !== undefined);
    const wrong = QUERIES.filter(({ expect: answer }) => {
      if (answer.orAsk || includes(OF_THE_ACCOUNT, answer.entity)) return figures(answer) || answer.order;
      return !includes(ANALYSED, answer.entity) || !figures(answer) || (answer.order && !answer.ids);
    });
    expect(named(wrong)).toEqual([]);
  });

  test('to a question about one or why names what it is about, and nothing else has rows', () => {
    const about = LABELS.filter(({ intent }) => intent === 'about-one' || intent === 'why');
    expect(named(about.filter(({ expect: { ids } }) => new Set(ids).size !== 1))).toEqual([]);
    const others = LABELS.filter((it) => it.intent !== 'query' && !about.includes(it));
    expect(named(others.filter(({ expect: { namesNone, ...rest } }) => Object.keys(rest).length > 0))).toEqual([]);
  });

  test('names no hazard to small talk, to an incident, or to anything else that asks for none', () => {
    const MAY_NAME = ['query', 'about-one', 'why', 'status', 'change', 'rules'];
    const wrong = LABELS.filter(({ intent, expect: { namesNone } }) => !includes(MAY_NAME, intent) && !namesNone);
    expect(named(wrong)).toEqual([]);
    expect(named(QUERIES.filter(({ expect: { namesNone } }) => namesNone))).toEqual([]);
  });

  test('leaves out words of the question itself', () => {
    const wrong = LABELS.filter(
      ({ text, expect: { leftOut = [] } }) => !leftOut.every((words) => text.includes(words)),
    );
    expect(named(wrong)).toEqual([]);
    expect(LABELS.filter(({ expect: { leftOut } }) => leftOut).length).toBeGreaterThan(0);
  });
});

describe('the made-up world', () => {
  test('is a result as an analysis stores it: 25 hazards, 16 tickets, 4 proposals', () => {
    const world = analysisResult.strict().parse(worlds['made-up']);
    expect([world.existingHazards.length, world.tickets.length, world.newHazards.length]).toEqual([25, 16, 4]);
  });

  test('agrees with itself: coverage with the tickets, findings with the blanks, tickets with the log', () => {
    const { existingHazards, findings, tickets, newHazards, analysisMetadata } = worlds['made-up'];
    const { covered, possible, none, relevant, unsure } = analysisMetadata.coverage;
    const ofRelevance = (wanted: string) => tickets.filter(({ relevance }) => relevance === wanted);
    const open = ofRelevance('relevant').filter(({ coveredBy }) => coveredBy === null);
    const near = open.filter(({ possibleHazardIds }) => possibleHazardIds?.length);
    expect({ covered, possible, none, relevant, unsure }).toEqual({
      covered: ofRelevance('relevant').length - open.length,
      possible: near.length,
      none: open.length - near.length,
      relevant: ofRelevance('relevant').length,
      unsure: ofRelevance('unsure').length,
    });
    const found = (rule: string) => findings.filter((it) => it.rule === rule).map(({ hazardId }) => hazardId);
    const without = (field: 'owner' | 'status') => existingHazards.filter((it) => !it[field]).map(({ id }) => id);
    expect(found('missing-owner')).toEqual(without('owner'));
    expect(found('missing-status')).toEqual(without('status'));
    const keys = new Set(tickets.map(({ key }) => key));
    const pointed = [
      ...existingHazards.flatMap(({ ticketKeys }) => ticketKeys),
      ...newHazards.flatMap(({ evidence }) => evidence.map(({ ticketKey }) => ticketKey)),
    ];
    expect(pointed.filter((key) => !keys.has(key))).toEqual([]);
  });
});
