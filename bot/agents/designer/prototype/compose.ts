import { rowName } from '../screen/propose.ts';
import { type Action, type Field, listed, type Screen, type State, sentenceCase, singular } from '../screen/screen.ts';
import { PEOPLE, type Person } from './people.ts';
import { type Sample, sampleRows } from './samples.ts';

/** A part of a screen in one state, as the page and the frames draw it. */
export type Block =
  | { type: 'banner'; person: Person }
  | { type: 'title'; title: string; text: string | null }
  | { type: 'notice'; tone: 'error' | 'info'; title: string; lines: string[]; retry: boolean }
  | { type: 'search'; label: string; filter: Field | null }
  | { type: 'fields'; fields: Field[]; filled: boolean; faults: Record<string, string>; columns: 1 | 2 }
  | { type: 'facts'; items: { label: string; value: string }[]; columns: 1 | 2 }
  | { type: 'table'; caption: string; columns: string[]; numeric: boolean[]; rows: string[][]; opens: boolean }
  | { type: 'figures'; items: { label: string; value: string }[] }
  | { type: 'bars'; heading: string; items: { label: string; value: number }[] }
  | { type: 'thread'; messages: { from: string; own: boolean; text: string; time: string }[] }
  | { type: 'composer'; label: string }
  | { type: 'reason' }
  | { type: 'skeleton'; lines: number; label: string }
  | { type: 'empty'; title: string; text: string; button: string | null }
  | { type: 'actions'; actions: Action[] };

/** Columns of a table beside who the row is about. */
const MOST_COLUMNS = 6;

const isOfMany = ({ kind }: Screen) => kind === 'list' || kind === 'dashboard';
const bannerOf = (screen: Screen): Block[] =>
  screen.patient && !isOfMany(screen) ? [{ type: 'banner', person: PEOPLE[0] }] : [];
const titleOf = ({ title, audience }: Screen): Block => ({
  type: 'title',
  title,
  text: audience ? `For ${audience}` : null,
});
const actionsOf = ({ actions }: Screen): Block[] => (actions.length > 0 ? [{ type: 'actions', actions }] : []);

/** The columns and rows of a table; a patient's name, date of birth and NHS number lead each row. */
function tableOf(screen: Screen): Extract<Block, { type: 'table' }> {
  const rows = sampleRows(screen);
  const isOfPatients = screen.patient && !(screen.kind === 'dashboard' && screen.subject !== 'patients');
  const identity = isOfPatients ? ['Patient', 'Date of birth', 'NHS number'] : [];
  const fields = screen.fields
    // What a dashboard counts stands in its figures.
    .filter(({ type }) => screen.kind !== 'dashboard' || type !== 'number')
    .filter(
      ({ label }) => !(isOfPatients && /^(Full name|Name|Date of birth|NHS number|First name|Last name)$/.test(label)),
    )
    .slice(0, MOST_COLUMNS);
  const cells = ({ person, values }: Sample) => [
    ...(person && isOfPatients ? [person.name, person.born, person.nhsNumber] : []),
    ...values.filter(({ field }) => fields.includes(field)).map(({ text }) => text),
  ];
  return {
    type: 'table',
    caption: screen.title,
    columns: [...identity, ...fields.map(({ label }) => label)],
    numeric: [...identity.map(() => false), ...fields.map(({ type }) => type === 'number')],
    rows: rows.map(cells),
    opens: true,
  };
}

/** The first field that divides the rows into groups. */
const divider = ({ fields }: Screen): Field | null => fields.find(({ type }) => type === 'choice') ?? null;

function factsOf(screen: Screen): Block {
  const [first] = sampleRows(screen);
  const items = (first?.values ?? []).map(({ field, text }) => ({ label: field.label, value: text }));
  return { type: 'facts', items, columns: screen.columns };
}

function figuresOf(screen: Screen): Block[] {
  const numbers = screen.fields.filter(({ type }) => type === 'number');
  const items = numbers.map((field) => ({
    label: field.label,
    value: `${field.sample}${field.unit ? ` ${field.unit}` : ''}`,
  }));
  const group = divider(screen);
  const groups = (group?.options ?? [])
    .slice(0, 4)
    .map((label, index) => ({ label, value: [14, 6, 3, 1][index] ?? 1 }));
  const all = groups.length > 0 ? groups.reduce((sum, { value }) => sum + value, 0) : PEOPLE.length;
  return [
    { type: 'figures', items: [{ label: `All ${screen.subject}`, value: String(all) }, ...items] },
    ...(group ? [{ type: 'bars' as const, heading: group.label, items: groups }] : []),
  ];
}

/** A patient asks and somebody of the staff answers; which of the two is “You” depends on whose screen it is. */
function threadOf({ audience }: Screen): Block {
  const isPatients = audience === 'patients';
  const said = (byPatient: boolean, text: string, time: string) => {
    const own = byPatient === isPatients;
    return { from: own ? 'You' : byPatient ? 'Amira Hassan' : 'The clinic', own, text, time };
  };
  return {
    type: 'thread',
    messages: [
      said(true, 'Can I take the new tablets together with food?', '10:12'),
      said(false, 'Yes. Take one with breakfast and one with your evening meal.', '10:15'),
      said(true, 'Thank you, that helps.', '10:16'),
    ],
  };
}

/** What a kind shows when all is well. */
const USUALLY: Record<Screen['kind'], (screen: Screen) => Block[]> = {
  form: (screen) => [
    { type: 'fields', fields: screen.fields, filled: true, faults: {}, columns: screen.columns },
    ...actionsOf(screen),
  ],
  list: (screen) => [{ type: 'search', label: `Search ${screen.subject}`, filter: divider(screen) }, tableOf(screen)],
  detail: (screen) => [factsOf(screen), ...actionsOf(screen)],
  dashboard: (screen) => {
    const table = tableOf(screen);
    return [...figuresOf(screen), ...(table.columns.length > 0 ? [table] : [])];
  },
  chat: (screen) => [threadOf(screen), { type: 'composer', label: 'Message' }, ...actionsOf(screen)],
  'sign-in': (screen) => [
    { type: 'fields', fields: screen.fields, filled: true, faults: {}, columns: 1 },
    ...actionsOf(screen),
  ],
  settings: (screen) => [
    { type: 'fields', fields: screen.fields, filled: true, faults: {}, columns: 1 },
    ...actionsOf(screen),
  ],
  review: (screen) => [
    {
      type: 'notice',
      tone: 'info',
      title: '1 of 4 decided',
      lines: [`Next: the ${rowName(screen).toLowerCase()} below.`],
      retry: false,
    },
    factsOf(screen),
    { type: 'reason' },
    ...actionsOf(screen),
  ],
};

const TYPES_IN: readonly Screen['kind'][] = ['form', 'sign-in', 'settings'];

function empty(screen: Screen): Block[] {
  const { kind, subject } = screen;
  if (kind === 'form' || kind === 'sign-in')
    return [
      {
        type: 'fields',
        fields: screen.fields,
        filled: false,
        faults: {},
        columns: kind === 'form' ? screen.columns : 1,
      },
      ...actionsOf(screen),
    ];
  if (kind === 'chat')
    return [
      { type: 'empty', title: 'No messages yet', text: 'Write the first one below.', button: null },
      { type: 'composer', label: 'Message' },
      ...actionsOf(screen),
    ];
  if (kind === 'detail')
    return [
      {
        type: 'empty',
        title: 'Nothing recorded yet',
        text: `${sentenceCase(listed(screen.fields.slice(0, 3).map(({ label }) => label.toLowerCase())))} will stand here.`,
        button: null,
      },
      ...actionsOf(screen),
    ];
  const one = singular(subject);
  return [
    kind === 'review'
      ? {
          type: 'empty',
          title: 'All decided',
          text: `No ${one} waits for a decision. New ones appear here.`,
          button: null,
        }
      : kind === 'settings'
        ? {
            type: 'empty',
            title: 'Nothing to set yet',
            text: 'Settings appear here once they are switched on.',
            button: null,
          }
        : {
            type: 'empty',
            title: `No ${subject} yet`,
            text: `Once there is ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}, it appears here.`,
            button: 'Refresh',
          },
  ];
}

/** What is waited for while a screen loads. */
const loadedOf = ({ kind, subject }: Screen): string => LOADED[kind] ?? subject;
const LOADED: Partial<Record<Screen['kind'], string>> = {
  form: 'form',
  detail: 'details',
  chat: 'messages',
  'sign-in': 'page',
  settings: 'settings',
};

/** What each field at fault is told. */
function faultsOf(screen: Screen): Record<string, string> {
  const must = screen.fields.filter(({ required }) => required);
  const meant = must.length > 0 ? must.slice(0, 2) : screen.fields.slice(0, 1);
  return Object.fromEntries(
    meant.map(({ label, type, unit }) => [
      label,
      type === 'number'
        ? `Enter ${label.toLowerCase()} as a number${unit ? ` in ${unit}` : ''}`
        : `Enter ${label.toLowerCase()}`,
    ]),
  );
}

function failed(screen: Screen): Block[] {
  if (screen.kind === 'sign-in')
    return [
      {
        type: 'notice',
        tone: 'error',
        title: 'You could not be signed in',
        lines: ['Check your details and try again, or reset the password.'],
        retry: false,
      },
      { type: 'fields', fields: screen.fields, filled: true, faults: {}, columns: 1 },
      ...actionsOf(screen),
    ];
  if (screen.kind === 'form') {
    const faults = faultsOf(screen);
    return [
      { type: 'notice', tone: 'error', title: 'There is a problem', lines: Object.values(faults), retry: false },
      { type: 'fields', fields: screen.fields, filled: true, faults, columns: screen.columns },
      ...actionsOf(screen),
    ];
  }
  const kept = TYPES_IN.includes(screen.kind) || screen.kind === 'chat' || screen.kind === 'review';
  return [
    {
      type: 'notice',
      tone: 'error',
      title:
        screen.kind === 'chat'
          ? 'Your message was not sent'
          : kept
            ? 'Your last change was not saved'
            : `The ${loadedOf(screen)} could not be loaded`,
      lines: [
        kept
          ? 'What you typed is kept. Check the connection, then try again.'
          : 'Nothing was changed. Check the connection, then try again.',
      ],
      retry: true,
    },
    ...(kept ? USUALLY[screen.kind](screen).filter(({ type }) => type !== 'notice') : []),
  ];
}

/** The blocks of a screen in one state, from the top. Who the patient is stays in each of them. */
export function composeScreen(screen: Screen, state: State): Block[] {
  const head = [...bannerOf(screen), titleOf(screen)];
  switch (state) {
    case 'default':
      return [...head, ...USUALLY[screen.kind](screen)];
    case 'empty':
      return [...head, ...empty(screen)];
    case 'loading':
      return [...head, { type: 'skeleton', lines: 5, label: `Loading ${loadedOf(screen)}…` }];
    case 'error':
      return [...head, ...failed(screen)];
  }
}
