import { describe, expect, test } from '@jest/globals';
import { kindOf, LABEL_FILES, type Label, label } from './labels.ts';

const SEEN = label.array().parse(LABEL_FILES.seen);
const UNSEEN = label.array().parse(LABEL_FILES.unseen);
const BOTH = [...SEEN, ...UNSEEN];
const EARLIER = label.array().parse([...LABEL_FILES.tune, ...LABEL_FILES.tuneMore, ...LABEL_FILES.heldOut]);

const kindsIn = (labels: readonly Label[]) => new Set(labels.map(kindOf));

describe('the second set of labelled questions', () => {
  test('has 164 that may be tuned on and 167 held out, none of them in the first set', () => {
    expect([SEEN.length, UNSEEN.length]).toEqual([164, 167]);
    const texts = [...BOTH, ...EARLIER].map(({ text }) => text.trim().toLowerCase());
    expect(new Set(texts).size).toBe(texts.length);
    const ids = [...BOTH, ...EARLIER].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has every kind in both halves', () => {
    expect([...kindsIn(SEEN)].sort()).toEqual([...kindsIn(UNSEEN)].sort());
    expect(kindsIn(SEEN).size).toBeGreaterThanOrEqual(29);
  });

  test('states for a query what is right, and for nothing else a row', () => {
    const queries = BOTH.filter(({ intent }) => intent === 'query');
    const isStated = ({ expect: { orAsk, count, groups, says } }: Label) =>
      orAsk === true || count !== undefined || groups !== undefined || says !== undefined;
    expect(queries.filter((one) => !isStated(one))).toEqual([]);
    const others = BOTH.filter(({ intent }) => !['query', 'about-one', 'why'].includes(intent));
    expect(others.filter(({ expect: { ids, count } }) => ids !== undefined || count !== undefined)).toEqual([]);
  });
});
