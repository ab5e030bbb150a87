import { type Action, type Field, type Screen, type ScreenKind, sentenceCase, singular } from './screen.ts';

type Section = { name: string; purpose: string };
type Layout = { layout: string; sections: Section[] };
type Component = { name: string; type: string };

const BANNER: Section = { name: 'Patient banner', purpose: 'Name, date of birth and NHS number, in view all the time' };

const LAYOUTS: Record<ScreenKind, (screen: Screen) => Layout> = {
  form: ({ columns }) => ({
    layout: columns === 2 ? 'two columns' : 'one column',
    sections: [
      { name: 'Fields', purpose: 'Labels above, units beside the numbers' },
      { name: 'Error summary', purpose: 'Above the fields, once something is missing' },
      { name: 'Buttons', purpose: 'The main one first' },
    ],
  }),
  list: () => ({
    layout: 'list with search',
    sections: [
      { name: 'Search and filters', purpose: 'Narrow the list as you type' },
      { name: 'Table', purpose: 'One row each; cards at 360 px' },
      { name: 'Details', purpose: 'Open from a row, with the buttons' },
    ],
  }),
  detail: ({ columns }) => ({
    layout: columns === 2 ? 'facts in two columns' : 'facts in one column',
    sections: [
      { name: 'Facts', purpose: 'Label and value, units beside the numbers' },
      { name: 'Buttons', purpose: 'The main one first' },
    ],
  }),
  dashboard: () => ({
    layout: 'figures over a table',
    sections: [
      { name: 'Figures', purpose: 'Each opens the rows it counts' },
      { name: 'Chart', purpose: 'How the rows divide' },
      { name: 'Table', purpose: 'The rows behind the figures' },
    ],
  }),
  chat: () => ({
    layout: 'conversation',
    sections: [
      { name: 'Messages', purpose: 'Who said what, and when' },
      { name: 'Message box', purpose: 'Stays at the bottom' },
    ],
  }),
  'sign-in': () => ({
    layout: 'one centred column',
    sections: [
      { name: 'Sign-in form', purpose: 'Email or username, and password' },
      { name: 'Help', purpose: 'Reset the password' },
    ],
  }),
  settings: () => ({
    layout: 'one column',
    sections: [
      { name: 'Settings', purpose: 'A label and what it does, for each' },
      { name: 'Save bar', purpose: 'Says when something is not saved yet' },
    ],
  }),
  review: () => ({
    layout: 'record with a decision',
    sections: [
      { name: 'Progress', purpose: 'How many are decided' },
      { name: 'Record', purpose: 'Everything the decision needs' },
      { name: 'Decision', purpose: 'A reason, and the buttons' },
    ],
  }),
};

/** Proposes the layout of a screen. The patient banner comes first. */
export function proposeLayout(screen: Screen): Layout {
  const { layout, sections } = LAYOUTS[screen.kind](screen);
  const isOnePatient = screen.patient && screen.kind !== 'list' && screen.kind !== 'dashboard';
  return { layout, sections: isOnePatient ? [BANNER, ...sections] : sections };
}

const INPUTS: Record<Field['type'], string> = {
  text: 'Text field',
  'long-text': 'Text area',
  number: 'Number field',
  date: 'Date field',
  time: 'Time field',
  choice: 'Select',
  'yes-no': 'Checkbox',
  email: 'Email field',
  phone: 'Phone field',
  password: 'Password field',
  file: 'File upload',
};

const fieldComponent = (kind: ScreenKind, { label, type, unit, required }: Field): Component => {
  const isOfMany = kind === 'list' || kind === 'dashboard';
  const isShown = isOfMany || kind === 'detail' || kind === 'review';
  const as = !isShown
    ? INPUTS[type]
    : kind === 'dashboard' && type === 'number'
      ? 'Figure'
      : isOfMany
        ? 'Column'
        : 'Fact';
  return {
    name: label,
    type: [as, unit ? `in ${unit}` : '', required && !isShown ? 'required' : ''].filter(Boolean).join(', '),
  };
};

const buttonComponent = ({ label, tone, confirms }: Action): Component => ({
  name: label,
  type: [
    tone === 'primary' ? 'Main button' : tone === 'danger' ? 'Warning button' : 'Button',
    confirms ? 'asks before it acts' : '',
  ]
    .filter(Boolean)
    .join(', '),
});

const OF_KIND: Record<ScreenKind, readonly Component[]> = {
  form: [{ name: 'Error summary', type: 'Links to each field at fault' }],
  list: [{ name: 'Search', type: 'Filters as you type' }],
  detail: [],
  dashboard: [{ name: 'Bar chart', type: 'With its numbers written out' }],
  chat: [
    { name: 'Message', type: 'Bubble with name and time' },
    { name: 'Message box', type: 'Text area' },
  ],
  'sign-in': [{ name: 'Error summary', type: 'Says what to do next' }],
  settings: [{ name: 'Save bar', type: 'Counts unsaved changes' }],
  review: [
    { name: 'Reason', type: 'Text area, required to reject' },
    { name: 'Progress', type: 'Count of decided records' },
  ],
};

/** Proposes the components of a screen: those of its fields and actions, those of its kind, and those of its states. */
export function proposeComponents(screen: Screen): Component[] {
  const { kind, patient, fields, actions, subject } = screen;
  return [
    ...(patient
      ? [
          {
            name: 'Patient banner',
            type: kind === 'list' || kind === 'dashboard' ? 'In each row and over the details' : 'Fixed at the top',
          },
        ]
      : []),
    ...fields.map((field) => fieldComponent(kind, field)),
    ...actions.map(buttonComponent),
    ...OF_KIND[kind],
    ...(actions.some(({ confirms }) => confirms)
      ? [{ name: 'Confirmation', type: patient ? 'Dialog that names the patient' : 'Dialog' }]
      : []),
    {
      name: 'Empty state',
      type: `Says that there ${kind === 'list' ? `are no ${subject}` : 'is nothing yet'}, and the next step`,
    },
    { name: 'Loading state', type: 'Placeholder lines' },
    { name: 'Error state', type: 'What happened, what was kept, what to do' },
  ];
}

const NOUNS: Record<ScreenKind, string> = {
  form: 'a form',
  list: 'a list',
  detail: 'a page of details',
  dashboard: 'a dashboard',
  chat: 'a conversation',
  'sign-in': 'a sign-in page',
  settings: 'a settings page',
  review: 'a review, one at a time',
};

/** Describes a screen in a sentence: “Observations” is a form for nurses, with the patient in view. */
export function describeScreen({ kind, audience, patient, subject, title }: Screen): string {
  const of = kind === 'list' || kind === 'dashboard' ? ` of ${subject}` : '';
  const about = patient && kind !== 'list' && kind !== 'dashboard' ? ', with the patient in view' : '';
  return `“${title}” is ${NOUNS[kind]}${of}${audience ? ` for ${audience}` : ''}${about}.`;
}

/** The noun for one row, e.g. "Referral". */
export const rowName = ({ subject }: Pick<Screen, 'subject'>): string => sentenceCase(singular(subject));
