import type { App, Field, Kind } from '../apps/app.ts';
import { sampleRows } from '../apps/samples.ts';
import { evaluateFormula } from './evaluateFormula.ts';

const q = (value: unknown): string => JSON.stringify(value);
const labelOf = ({ label, isRequired }: Field): string => label + (isRequired ? ' (required)' : '');

/** A valid answer to a field. @param at its place, from 0 */
function answerOf({ type, options, min, max, label }: Field, at: number): string {
  const number = Math.max(min ?? at + 2, Math.min(max ?? at + 2, at + 2));
  const answers: Record<Field['type'], string> = {
    ...{ text: `${label} test`, long: 'Some words', number: String(number), date: '2026-01-31', time: '10:30' },
    ...{ email: 'person@example.org', phone: '020 7946 0000', choice: options.at(-1) ?? '', check: 'yes' },
  };
  return answers[type];
}

const action = (field: Field, at: number): string => {
  const control = `page.getByLabel(${q(labelOf(field))}, { exact: true })`;
  if (field.type === 'check') return `await ${control}.check();`;
  return `await ${control}.${field.type === 'choice' ? 'selectOption' : 'fill'}(${q(answerOf(field, at))});`;
};
const fill = (fields: readonly Field[], from = 0): string[] => fields.map((field, at) => action(field, from + at));
const press = (name: string): string => `await page.getByRole('button', { name: ${q(name)}, exact: true }).click();`;
const sees = (text: string): string =>
  `await expect(page.getByText(${q(text)}, { exact: true }).first()).toBeVisible();`;

/** The shortest answer to a rule's field, and the complaint about the field that it makes required. */
function ruleSteps({ fields, rules }: App): string[] {
  return rules.flatMap(({ field, when, is }) => {
    const [target, other] = [fields.find(({ id }) => id === field), fields.find(({ id }) => id === when)];
    if (!target || other?.type !== 'choice') return [];
    return [
      `await page.getByLabel(${q(labelOf(other))}, { exact: true }).selectOption(${q(is)});`,
      press('Save'),
      sees(`Fill in ${target.label}.`),
    ];
  });
}

const requiredSteps = (fields: readonly Field[], button: string): string[] => {
  const first = fields.find(({ isRequired, type }) => isRequired && type !== 'check');
  return first ? [press(button), sees(`Fill in ${first.label}.`)] : [];
};

function limitSteps(fields: readonly Field[], button: string): string[] {
  const limited = fields.find(({ type, max }) => type === 'number' && max !== null);
  if (!limited) return [];
  return [
    `await page.getByLabel(${q(labelOf(limited))}, { exact: true }).fill(${q(String((limited.max ?? 0) + 1))});`,
    press(button),
    sees(`${limited.label} has to be ${limited.max} or less.`),
  ];
}

const extra = (label: string): Field => ({
  id: 'what',
  label,
  type: 'text',
  options: [],
  isRequired: true,
  min: null,
  max: null,
});

/** What the test of each kind does, line by line. */
const STEPS: Record<Kind, (app: App) => string[]> = {
  form: (app) => [
    ...requiredSteps(app.fields, 'Save'),
    ...ruleSteps(app),
    ...limitSteps(app.fields, 'Save'),
    ...fill(app.fields),
    press('Save'),
    sees('1 entry'),
    press('Remove entry 1'),
    sees('0 entries'),
  ],
  list: (app) => {
    const rows = sampleRows(app).length;
    const filter = app.fields.find(({ type }) => type === 'choice');
    const [first] = app.fields;
    return [
      sees(`${rows} of ${rows} shown`),
      `await page.getByLabel('Search', { exact: true }).fill('no row has this');`,
      sees(`0 of ${rows} shown`),
      `await page.getByLabel('Search', { exact: true }).fill('');`,
      ...(filter
        ? [
            `await page.getByLabel(${q(`Filter by ${filter.label}`)}, { exact: true }).selectOption(${q(filter.options[0] ?? '')});`,
            sees(`${sampleRows(app).filter((row) => row[filter.id] === filter.options[0]).length} of ${rows} shown`),
            `await page.getByLabel(${q(`Filter by ${filter.label}`)}, { exact: true }).selectOption('');`,
          ]
        : []),
      ...(first
        ? [
            press(first.label),
            `await expect(page.getByRole('columnheader', { name: ${q(first.label)}, exact: true })).toHaveAttribute('aria-sort', 'descending');`,
          ]
        : []),
      ...fill(app.fields),
      press('Add'),
      sees(`${rows + 1} of ${rows + 1} shown`),
    ];
  },
  dashboard: (app) => {
    const rows = sampleRows(app).length;
    const all = `page.getByRole('list', { name: 'Figures' }).getByRole('listitem').first()`;
    return [
      `await expect(${all}).toHaveText(${q(`${rows}All`)});`,
      `await expect(page.getByRole('img', { name: /^Bars by / })).toBeVisible();`,
      ...fill(app.fields),
      press('Add'),
      `await expect(${all}).toHaveText(${q(`${rows + 1}All`)});`,
      press('Remove all rows'),
      `await expect(${all}).toHaveText('0All');`,
    ];
  },
  calendar: (app) => [
    press('Add to this day'),
    sees('Fill in What.'),
    ...fill([extra('What'), ...app.fields]),
    press('Add to this day'),
    `await expect(page.getByRole('list', { name: 'Events of the day' })).toContainText('What test');`,
    press('Next month'),
    `await expect(page.getByRole('list', { name: 'Events of the day' })).not.toContainText('What test');`,
    press('Previous month'),
    `await page.getByRole('button', { name: /, 1 event$/ }).click();`,
    press('Remove What test'),
    `await expect(page.getByRole('button', { name: /, 1 event$/ })).toHaveCount(0);`,
  ],
  kanban: (app) => {
    const [first = '', second] = app.columns;
    return [
      ...fill([extra('Card'), ...app.fields]),
      press('Add card'),
      `await expect(page.getByRole('region', { name: ${q(first)}, exact: true })).toContainText('Card test');`,
      ...(second
        ? [
            press(`Move Card test to ${second}`),
            `await expect(page.getByRole('region', { name: ${q(second)}, exact: true })).toContainText('Card test');`,
          ]
        : []),
      press('Remove Card test'),
      `await expect(page.getByText('Card test', { exact: true })).toHaveCount(0);`,
    ];
  },
  calculator: ({ fields, formula }) => {
    const required = fields.map((field) => ({ ...field, isRequired: true }));
    const values = Object.fromEntries(required.map((field, at) => [field.id, Number(answerOf(field, at))]));
    const sum = Object.values(values).reduce((total, value) => total + value, 0);
    const worked = formula.length > 0 ? evaluateFormula(formula, values) : sum;
    const shown = Number.isFinite(worked)
      ? String(Math.round(worked * 10_000) / 10_000)
      : 'No result: a division by zero.';
    return [
      ...requiredSteps(required, 'Work it out'),
      ...fill(required),
      press('Work it out'),
      `await expect(page.locator('.result')).toHaveText(${q(shown)});`,
    ];
  },
  wizard: ({ fields }) => {
    const size = 3;
    const steps = Array.from({ length: Math.ceil(fields.length / size) }, (_, at) =>
      fields.slice(at * size, at * size + size),
    );
    return [
      ...requiredSteps(steps[0] ?? [], steps.length === 1 ? 'Check answers' : 'Next'),
      ...steps.flatMap((step, at) => [
        sees(`Step ${at + 1} of ${steps.length}`),
        ...fill(step, at * size),
        press(at === steps.length - 1 ? 'Check answers' : 'Next'),
      ]),
      sees('Check your answers'),
      press('Finish'),
      `await expect(page.getByRole('heading', { name: 'Finished' })).toBeVisible();`,
    ];
  },
  landing: ({ title, points, call }) => [
    `await expect(page.getByRole('heading', { level: 1, name: ${q(title)}, exact: true })).toBeVisible();`,
    ...points.map(
      (point) => `await expect(page.getByRole('listitem').filter({ hasText: ${q(point)} }).first()).toBeVisible();`,
    ),
    `await page.getByRole('button', { name: ${q(call ?? 'Get in touch')}, exact: true }).click();`,
    `await page.getByLabel('Your name (required)', { exact: true }).fill('Jo');`,
    `await page.getByLabel('Your email (required)', { exact: true }).fill('nobody');`,
    press('Send'),
    sees('Your email has to look like name@example.org.'),
    `await page.getByLabel('Your email (required)', { exact: true }).fill('jo@example.org');`,
    press('Send'),
    `await expect(page.getByText(/^Thank you\\./)).toBeVisible();`,
  ],
};

/** The steps of an app's browser test, as a module that `tests/app.spec.mjs` runs. */
export const writeSteps = (app: App): string =>
  [
    '/** What the app has to do: called with a page that shows it, and with Playwright’s expect. */',
    'export async function steps(page, expect) {',
    ...STEPS[app.kind](app).map((line) => `  ${line}`),
    '}',
    '',
  ].join('\n');
