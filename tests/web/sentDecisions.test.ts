import { describe, expect, test } from '@jest/globals';
import { combine, type Kept, unsavedRows } from '../../web/parts/review/decisions.ts';

const accepted: Kept = { id: 'a', outcome: 'accepted' };
const rejected: Kept = { id: 'a', outcome: 'rejected' };
const edited: Kept = { id: 'a', outcome: 'edited', values: { cause: 'Other' } };

describe('a send of which the answer is unknown', () => {
  test('is this person’s own decision: what was decided after it stands, also its undo', () => {
    expect(combine({}, {}, { a: rejected }, [{ a: rejected }])).toEqual({ decisions: {}, clashes: {} });
    expect(combine({ a: accepted }, {}, { a: rejected }, [{ a: rejected }])).toEqual({
      decisions: { a: accepted },
      clashes: {},
    });
    expect(combine({ a: accepted }, {}, {}, [{ a: rejected }])).toEqual({ decisions: { a: accepted }, clashes: {} });
  });
  test('does not hide a colleague’s decision: it clashes with mine, and stands where mine was undone', () => {
    expect(combine({ a: accepted }, {}, { a: edited }, [{ a: rejected }])).toEqual({
      decisions: { a: edited },
      clashes: { a: accepted },
    });
    expect(combine({}, {}, { a: edited }, [{ a: rejected }])).toEqual({ decisions: { a: edited }, clashes: {} });
  });
  test('leaves its rows unsaved until it is known', () => {
    expect(unsavedRows({}, {}, [{ a: rejected }])).toEqual(['a']);
    expect(unsavedRows({ a: rejected }, {}, [{ a: rejected }])).toEqual(['a']);
    expect(unsavedRows({ a: rejected }, { a: rejected }, [{ a: rejected }])).toEqual([]);
  });
});
