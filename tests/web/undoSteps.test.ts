import { describe, expect, test } from '@jest/globals';
import type { Kept } from '../../web/parts/review/decisions.ts';
import { addStep, rowsUndone, type Step } from '../../web/parts/review/undoSteps.ts';

const accepted = (id: string): Kept => ({ id, outcome: 'accepted' });
const rejected = (id: string): Kept => ({ id, outcome: 'rejected' });
const step = (label: string, before: Step['before'], after: Step['after']): Step => ({ label, before, after });
const nobody = () => false;
const labels = (steps: readonly Step[]) => steps.map(({ label }) => label);

describe('the steps that can be undone', () => {
  test('are kept in order, the last fifty', () => {
    let steps: Step[] = [];
    for (let at = 1; at <= 51; at += 1)
      steps = addStep(steps, step(`${at}`, { a: undefined }, { a: accepted('a') }), nobody);
    expect(steps).toHaveLength(50);
    expect(labels(steps).at(0)).toBe('2');
    expect(labels(steps).at(-1)).toBe('51');
  });

  test('leave out what changes nothing, so that undo takes the last change back', () => {
    const first = step('first', { a: undefined }, { a: rejected('a') });
    const same = step('same', { a: rejected('a') }, { a: rejected('a') });
    expect(addStep([first], same, nobody)).toEqual([first]);
    const partly = step('partly', { a: rejected('a'), b: undefined }, { a: rejected('a'), b: rejected('b') });
    expect(addStep([first], partly, nobody)).toEqual([first, partly]);
  });

  test('go back to what somebody else decided, and no further', () => {
    const mine = step('mine', { a: undefined }, { a: accepted('a') });
    const both = step('both', { a: undefined, b: undefined }, { a: accepted('a'), b: accepted('b') });
    const again = step('again', { a: rejected('a') }, { a: accepted('a') });
    const steps = addStep([mine, both], again, (id) => id === 'a');
    expect(steps).toEqual([step('both', { b: undefined }, { b: accepted('b') }), again]);
  });
});

describe('the rows that undoing a step changes', () => {
  const single = step('one', { a: undefined }, { a: accepted('a') });
  const many = step('many', { a: undefined, b: undefined }, { a: accepted('a'), b: accepted('b') });
  test('are a single row also when its reason was written since, unless somebody else decided it', () => {
    expect(rowsUndone(single, { a: { ...accepted('a'), reason: 'Seen' } }, nobody)).toEqual(['a']);
    expect(rowsUndone(single, { a: accepted('a') }, (id) => id === 'a')).toEqual([]);
  });
  test('are of many those that are still as decided, equal or the same', () => {
    expect(rowsUndone(many, { a: accepted('a'), b: accepted('b') }, nobody)).toEqual(['a', 'b']);
    expect(rowsUndone(many, { a: rejected('a'), b: accepted('b') }, nobody)).toEqual(['b']);
    expect(rowsUndone(many, { a: accepted('a'), b: accepted('b') }, (id) => id === 'b')).toEqual(['a']);
  });
  test('are those whose decision was removed', () => {
    const removed = step('removed', { a: accepted('a') }, { a: undefined });
    expect(rowsUndone(removed, {}, nobody)).toEqual(['a']);
  });
});
