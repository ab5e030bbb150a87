/** The kinds of app that are built, with what each is called for people. */
export const KINDS = {
  form: 'Form with rules',
  list: 'List with filters',
  dashboard: 'Dashboard with a chart',
  calendar: 'Calendar',
  kanban: 'Kanban board',
  calculator: 'Calculator',
  wizard: 'Wizard, step by step',
  landing: 'Landing page',
} as const;
export type Kind = keyof typeof KINDS;

export type FieldType = 'text' | 'long' | 'number' | 'date' | 'time' | 'email' | 'phone' | 'choice' | 'check';

/** A field that people fill in. */
export type Field = {
  /** "f1": unique in its app. */
  id: string;
  label: string;
  type: FieldType;
  /** The answers of a choice. */
  options: string[];
  isRequired: boolean;
  /** Limits of a number, inclusive. */
  min: number | null;
  max: number | null;
};

/** A field that becomes required by the answer to another. */
export type Rule = { field: string; when: string; is: string };

/** A piece of a formula: a number, the id of a field, an operator or a bracket. */
export type Token = { kind: 'number' | 'field' | 'sign'; text: string };

/** Colours that text stays readable on, in light and dark. */
export const COLOURS = ['blue', 'green', 'purple', 'red', 'grey'] as const;
export type Colour = (typeof COLOURS)[number];

/** All that makes an app. It is data: every app of a kind has the same code. */
export type App = {
  kind: Kind;
  title: string;
  fields: Field[];
  rules: Rule[];
  /** Columns of a board. */
  columns: string[];
  /** Points of a landing page. */
  points: string[];
  /** The words on the button of a landing page; null where none were given. */
  call: string | null;
  /** What a calculator works out, in order; empty adds the fields up. */
  formula: Token[];
  colour: Colour;
  /** Whether the words are about patients or doses: the app says that it is a demonstration. */
  isDemonstration: boolean;
  /** Fields that nobody named: the usual ones of the kind. */
  isAssumed: boolean;
};
