import { describe, expect, test } from '@jest/globals';
import { applyWish } from '../../../bot/agents/designer/screen/applyWish.ts';
import { readObjective } from '../../../bot/agents/designer/screen/readObjective.ts';
import { designState } from '../../../bot/agents/designer/workflows/state.ts';
import { applyWishes } from '../../../bot/agents/designer/workflows/wishes.ts';

const OBJECTIVE = 'Design a screen for nurses to record pulse, weight and temperature';
const screen = readObjective(OBJECTIVE);
const fieldsAfter = (words: string) => applyWish(screen, words).screen.fields.map(({ label }) => label);

test.each([
  ['add allergies', ['Pulse', 'Weight', 'Temperature', 'Allergies']],
  ['please add a field for allergies and a notes field', ['Pulse', 'Weight', 'Temperature', 'Allergies', 'Notes']],
  ['allergies are missing', ['Pulse', 'Weight', 'Temperature', 'Allergies']],
  ['remove the pulse', ['Weight', 'Temperature']],
  ['no pulse', ['Weight', 'Temperature']],
  ['remove pulse and add height', ['Weight', 'Temperature', 'Height']],
  ['rename pulse to Heart rate', ['Heart rate', 'Weight', 'Temperature']],
  ['pulse should be called heart rate', ['Heart rate', 'Weight', 'Temperature']],
  ['temperature should come first', ['Temperature', 'Pulse', 'Weight']],
  ['move pulse to the end', ['Weight', 'Temperature', 'Pulse']],
])('“%s” leaves %j', (words, fields) => {
  expect(fieldsAfter(words)).toEqual(fields);
  expect(applyWish(screen, words).couldNot).toEqual([]);
});

test.each<[string, object]>([
  ['use two columns', { columns: 2 }],
  ['call it Observations', { title: 'Observations' }],
  ['make it a list', { kind: 'list' }],
  ['no patient banner', { patient: false }],
])('“%s” changes the screen to %j', (words, change) => {
  expect(applyWish(screen, words).screen).toMatchObject(change);
});

test('required and optional fields are distinguished', () => {
  const optional = applyWish(screen, 'make pulse optional').screen;
  expect(optional.fields.map(({ required }) => required)).toEqual([false, true, true]);
  const both = applyWish(optional, 'pulse is required').screen;
  expect(both.fields.map(({ required }) => required)).toEqual([true, true, true]);
});

test('a button is added with its confirmation, and removed by its name', () => {
  const added = applyWish(screen, 'add an escalate button').screen;
  expect(added.actions.at(-1)).toEqual({
    label: 'Escalate',
    tone: 'plain',
    confirms: 'The team on call is told at once.',
  });
  expect(applyWish(added, 'remove the escalate button').screen.actions).toEqual(screen.actions);
});

test('a wish without a matching rule changes nothing, and is reported', () => {
  const applied = applyWish(screen, 'make it pop. Add allergies');
  expect(applied.couldNot).toEqual(['make it pop']);
  expect(applied.did).toEqual(['Added “Allergies”.']);
  expect(applyWish(screen, 'remove the moon')).toEqual({ screen, did: [], couldNot: ['remove the moon'] });
  expect(applyWish(screen, 'add pulse').couldNot).toEqual(['add pulse']);
});

test('words about the colour choose the style, and do not count as failed', () => {
  const state = designState.parse({ objective: OBJECTIVE });
  expect(applyWishes(state, 'make it green')).toMatchObject({ style: 'Forest', note: 'The style is now “Forest”.' });
  expect(applyWishes(state, 'sparkle').note).toMatch(/^I couldn’t apply “sparkle”\. I can add, remove, rename/);
});

describe('a screen stays small, whatever is wished for', () => {
  const names = (count: number, after = '') =>
    Array.from({ length: count }, (_, at) => `thing ${at}${after}`).join(', ');
  const labelsOf = (many: readonly { label: string }[]) => many.map(({ label }) => label);

  test('it gets as many fields as fit, and the answer says that some were left out', () => {
    const fits = applyWish(screen, `add ${names(21)}`);
    expect(fits.screen.fields).toHaveLength(24);
    expect(fits.did[0]).not.toContain('left out');
    const full = applyWish(screen, `add ${names(22)}`);
    expect(full.screen.fields).toHaveLength(24);
    expect(labelsOf(full.screen.fields)).not.toContain('Thing 21');
    const left = 'A screen holds 24 fields and 12 buttons at most, so the rest was left out.';
    expect(full.did[0]).toMatch(new RegExp(`“Thing 20”\\. ${left}$`));
    expect(applyWish(full.screen, 'add one more').did).toEqual([left]);
  });

  test('it gets at most twelve buttons', () => {
    const standing = screen.actions.length;
    expect(applyWish(screen, `add ${names(12 - standing, ' button')}`).did[0]).not.toContain('left out');
    const { screen: full, did } = applyWish(screen, `add ${names(13 - standing, ' button')}`);
    expect(full.actions).toHaveLength(12);
    expect(did[0]).toContain('left out');
    expect(readObjective(`A form with name, buttons: ${names(40)}`).actions).toHaveLength(12);
  });

  test('names have at most 80 characters', () => {
    const [fits, long] = ['x'.repeat(80), 'x'.repeat(81)];
    expect(fieldsAfter(`add ${fits}`)).toHaveLength(4);
    expect(fieldsAfter(`add ${long}`)).toHaveLength(3);
    expect(applyWish(screen, `add ${fits} button`).screen.actions).toHaveLength(2);
    expect(applyWish(screen, `add ${long} button`).screen.actions).toHaveLength(1);
    expect(applyWish(screen, `call it ${fits}`).screen.title).toHaveLength(80);
    expect(applyWish(screen, `call it ${long}`)).toEqual({ screen, did: [], couldNot: [`call it ${long}`] });
  });

  test('runs of spaces become one space', () => {
    expect(applyWish(screen, `rename${' '.repeat(7000)}pulse  to \t Heart rate`).did).toEqual([
      'Renamed “Pulse” to “Heart rate”.',
    ]);
  });
});
