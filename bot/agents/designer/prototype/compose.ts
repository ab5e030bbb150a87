import { withArticle } from '../../../engine/queries/withArticle.ts';
import { rowName } from '../screen/propose.ts';
import { type Action, type Field, listed, type Screen, type State, sentenceCase, singular } from '../screen/screen.ts';
import { PEOPLE, type Person } from './people.ts';
import { type Sample, sampleRows } from './samples.ts';

/** A part of a screen in one state, which the prototype and the frames both draw. */
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

/** The limit of a table's columns, without those that identify the patient. */
const MAX_COLUMNS = 6;

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
    // A dashboard shows its numbers as figures.
    .filter(({ type }) => screen.kind !== 'dashboard' || type !== 'number')
    .filter(
      ({ label }) => !(isOfPatients && /^(Full name|Name|Date of birth|NHS number|First name|Last name)$/.test(label)),
    )
    .slice(0, MAX_COLUMNS);
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

/** The first choice field, by which rows can be grouped. */
const findGroupField = ({ fields }: Screen): Field | null => fields.find(({ type }) => type === 'choice') ?? null;

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
  const group = findGroupField(screen);
  const groups = (group?.options ?? [])
    .slice(0, 4)
    .map((label, index) => ({ label, value: [14, 6, 3, 1][index] ?? 1 }));
  const all = groups.length > 0 ? groups.reduce((sum, { value }) => sum + value, 0) : PEOPLE.length;
  return [
    { type: 'figures', items: [{ label: `All ${screen.subject}`, value: String(all) }, ...items] },
    ...(group ? [{ type: 'bars' as const, heading: group.label, items: groups }] : []),
  ];
}

/** A sample conversation between a patient and staff. Which of them is “You” depends on the screen's audience. */
function threadOf({ audience }: Screen): Block {
  const isPatients = audience === 'patients';
  const message = (byPatient: boolean, text: string, time: string) => {
    const own = byPatient === isPatients;
    return { from: own ? 'You' : byPatient ? 'Amira Hassan' : 'The clinic', own, text, time };
  };
  return {
    type: 'thread',
    messages: [
      message(true, 'Can I take the new tablets together with food?', '10:12'),
      message(false, 'Yes. Take one with breakfast and one with your evening meal.', '10:15'),
      message(true, 'Thank you, that helps.', '10:16'),
    ],
  };
}

/** The blocks of each kind in its default state. */
const DEFAULT_BLOCKS: Record<Screen['kind'], (screen: Screen) => Block[]> = {
  form: (screen) => [
    { type: 'fields', fields: screen.fields, filled: true, faults: {}, columns: screen.columns },
    ...actionsOf(screen),
  ],
  list: (screen) => [
    { type: 'search', label: `Search ${screen.subject}`, filter: findGroupField(screen) },
    tableOf(screen),
  ],
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

const FORM_KINDS: readonly Screen['kind'][] = ['form', 'sign-in', 'settings'];

function emptyBlocks(screen: Screen): Block[] {
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
            text: `Once there is ${withArticle(one)}, it appears here.`,
            button: 'Refresh',
          },
  ];
}

/** The noun in “Loading …”. */
const loadingNoun = ({ kind, subject }: Screen): string => LOADING_NOUNS[kind] ?? subject;
const LOADING_NOUNS: Partial<Record<Screen['kind'], string>> = {
  form: 'form',
  detail: 'details',
  chat: 'messages',
  'sign-in': 'page',
  settings: 'settings',
};

/** The errors of the form's error state, by field label. */
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

function errorBlocks(screen: Screen): Block[] {
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
  const kept = FORM_KINDS.includes(screen.kind) || screen.kind === 'chat' || screen.kind === 'review';
  return [
    {
      type: 'notice',
      tone: 'error',
      title:
        screen.kind === 'chat'
          ? 'Your message was not sent'
          : kept
            ? 'Your last change was not saved'
            : `The ${loadingNoun(screen)} could not be loaded`,
      lines: [
        kept
          ? 'What you typed is kept. Check the connection, then try again.'
          : 'Nothing was changed. Check the connection, then try again.',
      ],
      retry: true,
    },
    ...(kept ? DEFAULT_BLOCKS[screen.kind](screen).filter(({ type }) => type !== 'notice') : []),
  ];
}

/** The blocks of a screen in one state, from top to bottom. The patient banner is in every state. */
export function composeScreen(screen: Screen, state: State): Block[] {
  const head = [...bannerOf(screen), titleOf(screen)];
  switch (state) {
    case 'default':
      return [...head, ...DEFAULT_BLOCKS[screen.kind](screen)];
    case 'empty':
      return [...head, ...emptyBlocks(screen)];
    case 'loading':
      return [...head, { type: 'skeleton', lines: 5, label: `Loading ${loadingNoun(screen)}…` }];
    case 'error':
      return [...head, ...errorBlocks(screen)];
  }
}
