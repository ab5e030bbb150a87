import { type App, COLOURS, type Colour, type Field, KINDS, type Kind } from '../apps/app.ts';
import { evenSpaces, readField, readFields, readRules, sentenceCase, splitList } from './readFields.ts';
import { readKind, readObjective } from './readObjective.ts';

/** An app after a wish, and what of the wish was done, in sentences. */
type Changed = { app: App; done: string[]; unclear: string[] };

const plain = (text: string): string =>
  text
    .trim()
    .replace(/^[“"'](.*)[”"']$/, '$1')
    .replace(/^(?:the|an?)\s+/i, '')
    .replace(/\s+(?:field|column|point)$/i, '')
    .trim();

const sameLabel =
  (words: string) =>
  ({ label }: Field) =>
    label.toLowerCase() === plain(words).toLowerCase();

const withField = (app: App, words: string, change: (field: Field) => Field): App => ({
  ...app,
  fields: app.fields.map((field) => (sameLabel(words)(field) ? change(field) : field)),
});

/** Ids stay unique when fields come and go. */
function addFields(app: App, words: string): App {
  const last = Math.max(0, ...app.fields.map(({ id }) => Number(id.slice(1))));
  const added = readFields(words).filter(({ label }) => !app.fields.some(sameLabel(label)));
  return { ...app, fields: [...app.fields, ...added.map((field, at) => ({ ...field, id: `f${last + 1 + at}` }))] };
}

function removeField(app: App, words: string): App {
  const removed = app.fields.find(sameLabel(words));
  if (!removed || app.fields.length === 1 || app.formula.some(({ text }) => text === removed.id)) return app;
  return {
    ...app,
    fields: app.fields.filter((field) => field !== removed),
    rules: app.rules.filter(({ field, when }) => field !== removed.id && when !== removed.id),
  };
}

/** An app without a column, a point or a field of this name. A board keeps a column, and an app a field. */
function without(app: App, words: string): App {
  const isNot = (text: string) => text.toLowerCase() !== plain(words).toLowerCase();
  const columns = app.columns.filter(isNot);
  const kept = { ...app, points: app.points.filter(isNot), columns: columns.length > 0 ? columns : app.columns };
  return removeField(kept, words);
}

type Change = { words: RegExp; apply: (app: App, ...parts: string[]) => App };

/** What can be asked for, by its words. A change that changes nothing was not understood. */
const CHANGES: readonly Change[] = [
  {
    words: /^(?:call it|name it|rename it to|title:?|change the title to)\s+(.+)$/i,
    apply: (app, title = '') => ({ ...app, title: plain(title).slice(0, 60) || app.title }),
  },
  {
    words: /^(?:rename|change)\s+(.+?)\s+(?:to|into)\s+(.+)$/i,
    apply: (app, from = '', to = '') => {
      const read = readField(to, 0);
      if (read && app.fields.some(sameLabel(from)))
        return withField(app, from, (field) => ({ ...field, label: read.label }));
      const at = app.columns.findIndex((column) => column.toLowerCase() === plain(from).toLowerCase());
      return at === -1 ? app : { ...app, columns: app.columns.with(at, sentenceCase(plain(to))) };
    },
  },
  {
    words: /^make\s+(.+?)\s+(required|mandatory|optional)$/i,
    apply: (app, label = '', how = '') =>
      withField(app, label, (field) => ({ ...field, isRequired: !/optional/i.test(how) })),
  },
  {
    words: /^(?:make it|use|in)\s+(blue|green|purple|red|grey)$/i,
    apply: (app, colour = '') => ({
      ...app,
      colour: (COLOURS.find((one) => one === colour.toLowerCase()) ?? app.colour) as Colour,
    }),
  },
  {
    words: /^add (?:the |a )?columns?\s+(.+)$/i,
    apply: (app, words = '') =>
      app.kind === 'kanban'
        ? {
            ...app,
            columns: [...new Set([...app.columns, ...splitList(words).map((one) => sentenceCase(plain(one)))])].slice(
              0,
              6,
            ),
          }
        : addFields(app, words),
  },
  {
    words: /^add (?:the |a )?points?\s+(.+)$/i,
    apply: (app, words = '') =>
      app.kind === 'landing' ? { ...app, points: [...app.points, sentenceCase(plain(words))].slice(0, 8) } : app,
  },
  {
    words: /^call to action:?\s+(.+)$/i,
    apply: (app, words = '') => (app.kind === 'landing' ? { ...app, call: plain(words).slice(0, 60) } : app),
  },
  {
    words: /^add\s+(.+)$/i,
    apply: (app, words = '') => (app.kind === 'landing' ? app : addFields(app, words)),
  },
  {
    words: /^(?:remove|delete|drop|leave out)\s+(.+)$/i,
    apply: (app, words = '') => {
      let changed = app;
      for (const one of splitList(words)) changed = without(changed, one);
      return changed;
    },
  },
];

/** A wish to have it as another kind: "make it a kanban board". */
function asKind(app: App, wish: string): App {
  if (!/^(?:make|turn|change)\s+(?:it|this)\s+(?:into\s+)?(?:an?\s+)/i.test(wish)) return app;
  const kind: Kind | null = readKind(wish);
  if (kind === null || kind === app.kind) return app;
  const { app: made } = readObjective(`${KINDS[kind]} for ${app.title}`, kind);
  if (!made) return app;
  const fields = app.fields.length > 0 && kind !== 'calculator' ? app.fields : made.fields;
  return { ...made, title: app.title, fields, colour: app.colour, isDemonstration: app.isDemonstration };
}

/** What an app would be by each way to read a wish. */
function triedOn(app: App, words: string): App[] {
  const found = CHANGES.find((one) => one.words.test(words));
  const [, ...values] = found?.words.exec(words) ?? [];
  const ruled = { ...app, rules: [...app.rules, ...readRules(words, app.fields)] };
  return [asKind(app, words), found?.apply(app, ...values) ?? app, ruled];
}

/** Changes an app as a person wishes: sentences, or parts between semicolons, each on its own. */
export function applyWish(app: App, wish: string): Changed {
  const parts = evenSpaces(wish)
    .split(/[\n;]|\.(?:\s|$)|,?\s+(?:and|then)\s+(?=(?:add|remove|delete|drop|rename|make|call|use)\b)/i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const changed: Changed = { app, done: [], unclear: [] };
  for (const part of parts) {
    const words = part.replace(/^(?:please|also|and|then)\s+/i, '');
    const now = JSON.stringify(changed.app);
    const next = triedOn(changed.app, words).find((one) => one !== changed.app && JSON.stringify(one) !== now);
    if (next) changed.app = { ...next, isAssumed: false };
    (next ? changed.done : changed.unclear).push(part);
  }
  return changed;
}
