import { describe, expect, test } from '@jest/globals';
import { type App, KINDS, type Kind } from '../../../bot/agents/developer/apps/app.ts';
import { renderApp } from '../../../bot/agents/developer/apps/renderApp.ts';
import { asksFor, readIntent } from '../../../bot/agents/developer/intents.ts';
import { applyWish } from '../../../bot/agents/developer/objective/applyWish.ts';
import { readField, readFields, splitList } from '../../../bot/agents/developer/objective/readFields.ts';
import { describeFormula, readFormula } from '../../../bot/agents/developer/objective/readFormula.ts';
import { readKind, readObjective } from '../../../bot/agents/developer/objective/readObjective.ts';
import { writeSteps } from '../../../bot/agents/developer/project/browserTest.ts';
import { evaluateFormula } from '../../../bot/agents/developer/project/evaluateFormula.ts';
import { writeProject } from '../../../bot/agents/developer/project/writeProject.ts';
import { describePlan } from '../../../bot/agents/developer/workflows/describe.ts';
import { inflateEntry, readZipDirectory } from '../../../bot/engine/files/zipArchive.ts';

const appFor = (objective: string, kind?: Kind): App => {
  const { app } = readObjective(objective, kind);
  if (!app) throw new Error('The objective names no kind.');
  return app;
};
const labels = ({ fields }: App) => fields.map(({ label }) => label);

describe('the fields of an objective', () => {
  test('are cut at commas and “and”, but not inside brackets', () => {
    expect(splitList('a, b (x, y and z); c and d')).toEqual(['a', 'b (x, y and z)', 'c', 'd']);
  });

  test.each([
    ['due date', { type: 'date' }],
    ['e-mail', { type: 'email' }],
    ['mobile', { type: 'phone' }],
    ['start time', { type: 'time' }],
    ['price', { type: 'number' }],
    ['notes', { type: 'long' }],
    ['consent', { type: 'check' }],
    ['the owner', { label: 'Owner', type: 'text' }],
    ['done (yes/no)', { label: 'Done', type: 'check' }],
    ['code (number)', { type: 'number' }],
    ['size (small or large)', { type: 'choice', options: ['small', 'large'] }],
    ['score (1 to 5) (required)', { min: 1, max: 5, isRequired: true }],
    ['score (5 to 1)', { min: null, max: null }],
    ['name (required)', { isRequired: true }],
  ])('are read: “%s”', (words, field) => {
    expect(readField(words, 0)).toMatchObject(field);
  });

  test('count once each, sixteen at most', () => {
    expect(readFields('a, A, b').map(({ id, label }) => [id, label])).toEqual([
      ['f1', 'A'],
      ['f2', 'B'],
    ]);
    expect(readFields(Array.from({ length: 20 }, (_, at) => `field ${at}`).join(', '))).toHaveLength(16);
    expect(readField('!!', 0)).toBeNull();
  });
});

describe('a formula', () => {
  test.each([
    ['price times quantity plus delivery', 'Price * Quantity + Delivery', 14],
    ['(a + b) * c', '( A + B ) * C', 20],
    ['a - b - c', 'A - B - C', -5],
    ['a / b / c', 'A / B / C', 2 / 3 / 4],
    ['2 * a + a', '2 * A + A', 6],
  ])('is read from “%s” and worked out', (text, shown, result) => {
    const read = readFormula(text);
    if (!read) throw new Error('It is no formula.');
    expect(describeFormula(read.formula, read.fields)).toBe(shown);
    const values = Object.fromEntries(read.fields.map(({ id }, at) => [id, [2, 3, 4, 8][at] ?? 0]));
    expect(evaluateFormula(read.formula, values)).toBeCloseTo(shown.startsWith('Price') ? 2 * 3 + 4 : result);
  });

  test.each(['', 'a', '1 + 2', 'a +', '+ a b', 'a b * (c', '(a))', 'a ** b', 'alert(1); a + b', 'a; b'])(
    'is none: “%s”',
    (text) => {
      expect(readFormula(text)).toBeNull();
    },
  );
});

describe('a wish', () => {
  const LIST = appFor('A list of suppliers with name, city and status (active, paused)');
  const wished = (wish: string, app = LIST) => applyWish(app, wish);

  test.each([
    ['add deadline', ['Name', 'City', 'Status', 'Deadline']],
    ['add phone and email', ['Name', 'City', 'Status', 'Phone', 'Email']],
    ['remove the city field', ['Name', 'Status']],
    ['rename city to town', ['Name', 'Town', 'Status']],
    ['add note; remove name', ['City', 'Status', 'Note']],
    ['add note and remove name', ['City', 'Status', 'Note']],
  ])('“%s” changes the fields', (wish, fields) => {
    const { app, unclear } = wished(wish);
    expect([labels(app), unclear]).toEqual([fields, []]);
    expect(new Set(app.fields.map(({ id }) => id)).size).toBe(app.fields.length);
  });

  test('changes title, colour, what is required, and the kind', () => {
    expect(wished('call it “Our suppliers”').app.title).toBe('Our suppliers');
    expect(wished('make it green').app.colour).toBe('green');
    expect(wished('make name required').app.fields[0]?.isRequired).toBe(true);
    expect(wished('Name is required when status is paused').app.rules).toEqual([
      { field: 'f1', when: 'f3', is: 'paused' },
    ]);
    expect(wished('make it a kanban board').app).toMatchObject({
      kind: 'kanban',
      title: 'Suppliers',
      columns: ['To do', 'Doing', 'Done'],
    });
  });

  test('changes columns, points and the button of their kinds', () => {
    const board = appFor('A kanban board for releases');
    expect(wished('add column Blocked', board).app.columns).toEqual(['To do', 'Doing', 'Done', 'Blocked']);
    expect(wished('rename doing to In hand', board).app.columns).toEqual(['To do', 'In hand', 'Done']);
    expect(wished('remove doing', board).app.columns).toEqual(['To do', 'Done']);
    const page = appFor('A landing page for Rota with points A and B');
    expect(wished('add point C; remove A; call to action: Try it', page).app).toMatchObject({
      points: ['B', 'C'],
      call: 'Try it',
    });
  });

  test('that is not understood is named and changes nothing; what a formula needs stays', () => {
    expect(wished('make it pop')).toEqual({ app: LIST, done: [], unclear: ['make it pop'] });
    expect(wished('remove the owner').unclear).toEqual(['remove the owner']);
    const calculator = appFor('A calculator for cost: price times quantity');
    expect(wished('remove price', calculator).app).toEqual(calculator);
    const one = appFor('A list of keys with name');
    expect(wished('remove name', one).unclear).toEqual(['remove name']);
  });
});

describe('an app', () => {
  const HOSTILE = 'A form for </script><script>alert(1)</script> with name & <img src=x onerror=alert(1)> and note';

  test('holds its words as data: none of them is markup or ends the script', () => {
    const page = renderApp(appFor(HOSTILE));
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toContain('<img');
    expect(page).toContain('<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>');
  });

  test.each(Object.keys(KINDS) as Kind[])('of the kind %s loads nothing, and ships its page with a test', (kind) => {
    const app = appFor(`${KINDS[kind]} for rooms with name (required) and size`, kind);
    const { page, archive } = writeProject(app);
    expect(page).toMatch(/^<!doctype html>\n<html lang="en-GB">/);
    expect(page).toContain("default-src 'none'");
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|\bfetch\(|XMLHttpRequest|document\.cookie|innerHTML|\beval\(/,
    );
    const entries = readZipDirectory(archive);
    const text = (name: string) => String(Buffer.from(inflateEntry(entries.get(name) as never)));
    expect([...entries.keys()]).toEqual([
      'index.html',
      'README.md',
      'package.json',
      'tests/steps.mjs',
      'tests/app.spec.mjs',
    ]);
    expect(text('index.html')).toBe(page);
    expect(text('tests/steps.mjs')).toBe(writeSteps(app));
    expect(text('tests/steps.mjs').match(/^ {2}await /gm)?.length).toBeGreaterThan(3);
    expect(JSON.parse(text('package.json')).scripts.test).toBe('playwright test');
  });

  test('about patients or doses says that it is a demonstration, in the page, the archive and the plan', () => {
    const app = appFor('A calculator for the dose: weight times 15');
    expect(renderApp(app)).toContain('Demonstration only.');
    expect(describePlan(app)).toContain('not for use with patients');
    expect(renderApp(appFor('A calculator for cost: price times 2'))).not.toContain('Demonstration only.');
  });

  test('is planned in words', () => {
    expect(
      describePlan(appFor('A form for returns with reason (a, b) and details. Details is required when reason is b.')),
    ).toBe(
      'Form with rules “Returns”. Fields: Reason (a / b); Details (long text). Details is required when Reason is b.',
    );
    expect(describePlan(appFor('A kanban board for releases'))).toContain('Columns: To do, Doing, Done.');
    expect(describePlan(appFor('A dashboard for the help desk'))).toContain('these are the usual ones');
  });
});

test.each([
  ['Build a web app for keys', 'build', true],
  ['Devon, make a kanban board', 'build', true],
  ['Create a landing page for Rota', 'build', true],
  ['Make a form for visits', 'build', false],
  ['A list of suppliers with name', 'build', false],
  ['Which apps have you built?', 'projects', false],
  ['Don’t build a web app', null, false],
  ['How do you build a web app?', null, false],
  ['hello', null, false],
])('“%s” asks for %s, and of nobody in particular: %s', (text, intent, isFor) => {
  expect([readIntent(text), asksFor(text)]).toEqual([intent, isFor]);
});

test('the kind whose words come first counts', () => {
  expect(readKind('A form to fill a list')).toBe('form');
  expect(readKind('A list of forms')).toBe('list');
  expect(readKind('Something')).toBeNull();
});
