/** The kinds of screen, which determine its parts. */
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
  /** The unit, e.g. "mmHg"; null for none. */
  unit: string | null;
  /** The options of a choice. */
  options: string[];
  /** A sample value. */
  sample: string;
  required: boolean;
};

export type Action = {
  label: string;
  tone: 'primary' | 'plain' | 'danger';
  /** The text of the confirmation, for an action that can't be undone; null for none. */
  confirms: string | null;
};

/** A screen as read from a request. Layout, components, prototype and frames are made from it. */
export type Screen = {
  kind: ScreenKind;
  title: string;
  /** Who uses it, e.g. "nurses"; null where the request names nobody. */
  audience: string | null;
  /** The subject of its rows, in the plural: "patients". */
  subject: string;
  /** Whether it works on a patient's record, so that the patient has to stay in view. */
  patient: boolean;
  fields: Field[];
  actions: Action[];
  columns: 1 | 2;
  /** True where the fields are a suggestion, because the request names hardly any. */
  assumed: boolean;
};

export const MAX_FIELDS = 24;
export const MAX_ACTIONS = 12;
/** The limit for the name of a field, button or screen, in characters. */
export const MAX_NAME_LENGTH = 80;

/** The states of every screen. */
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

/** The singular: "patient" of "patients", "history" of "histories". */
export const singular = (plural: string): string =>
  plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.endsWith('s') ? plural.slice(0, -1) : plural;

/** Joins names as "A, B and C". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
