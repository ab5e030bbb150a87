/** What kind of screen it is: which parts it has follows from this. */
export const SCREEN_KINDS = ['form', 'list', 'detail', 'dashboard', 'chat', 'sign-in', 'settings', 'review'] as const;
export type ScreenKind = (typeof SCREEN_KINDS)[number];

type FieldType =
  | 'text'
  | 'long-text'
  | 'number'
  | 'date'
  | 'time'
  | 'choice'
  | 'yes-no'
  | 'email'
  | 'phone'
  | 'password'
  | 'file';

export type Field = {
  label: string;
  type: FieldType;
  /** Stands beside the number, e.g. "mmHg"; null for what has none. */
  unit: string | null;
  /** With a choice: what can be chosen. */
  options: string[];
  /** A made-up value, as a person would type it. */
  sample: string;
  required: boolean;
};

export type Action = {
  label: string;
  tone: 'primary' | 'plain' | 'danger';
  /** What is asked before it is done, where it can't be undone; null where nothing is asked. */
  confirms: string | null;
};

/** A screen as the words describe it; layout, components, prototype and frames follow from it. */
export type Screen = {
  kind: ScreenKind;
  title: string;
  /** Who works with it, e.g. "nurses"; null where the words name nobody. */
  audience: string | null;
  /** What its rows are, in the plural: "patients". */
  subject: string;
  /** Whether it shows what belongs to a patient, who then stays in view. */
  patient: boolean;
  fields: Field[];
  actions: Action[];
  columns: 1 | 2;
  /** True where the words name no field, so that these are a suggestion. */
  assumed: boolean;
};

/** Most fields and buttons of a screen, whatever is asked for. */
export const MAX_FIELDS = 24;
export const MAX_ACTIONS = 12;
/** Most characters of a field's, a button's or a screen's name. */
export const MAX_NAME = 80;

/** What every screen can be in. */
export const STATES = ['default', 'empty', 'loading', 'error'] as const;
export type State = (typeof STATES)[number];

export const makeField = (it: Partial<Field> & { label: string }): Field => ({
  type: 'text',
  unit: null,
  options: [],
  sample: 'Example',
  required: false,
  ...it,
});

/** "patients" to "patient", "histories" to "history". */
export const singular = (plural: string): string =>
  plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.endsWith('s') ? plural.slice(0, -1) : plural;

/** "A, B and C". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** With a capital at its start. */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
