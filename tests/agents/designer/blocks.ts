import type { Block } from '../../../bot/agents/designer/prototype/compose.ts';
import { PEOPLE } from '../../../bot/agents/designer/prototype/people.ts';
import { makeField } from '../../../bot/agents/designer/screen/screen.ts';

const pulse = makeField({ label: 'Pulse', type: 'number', unit: 'beats per minute', sample: '72', required: true });
const ward = makeField({ label: 'Ward', type: 'choice', options: ['East', 'West'], sample: 'West' });
const fields = [
  pulse,
  ward,
  makeField({ label: 'Notes', type: 'long-text', sample: 'Slept well' }),
  makeField({ label: 'Fasting', type: 'yes-no', sample: 'Yes', required: true }),
  makeField({ label: 'Letter', type: 'file', sample: 'letter.pdf' }),
  makeField({ label: 'E-mail', type: 'email', sample: 'ada@example.org' }),
];
const LONG = 'Words that are longer than one line of a phone, so that they go on below it';

/** Every part that a screen can have, in each of its forms. */
export const BLOCKS: Record<string, Block> = {
  banner: { type: 'banner', person: PEOPLE[0] },
  title: { type: 'title', title: 'Record pulse', text: 'For nurses' },
  'title alone': { type: 'title', title: LONG, text: null },
  'notice of a fault': {
    type: 'notice',
    tone: 'error',
    title: 'There is a problem',
    lines: ['One', LONG],
    retry: true,
  },
  'notice of how far it is': { type: 'notice', tone: 'info', title: '1 of 4', lines: ['Next'], retry: false },
  search: { type: 'search', label: 'Search patients', filter: ward },
  'search alone': { type: 'search', label: 'Search patients', filter: null },
  'fields, filled': { type: 'fields', fields, filled: true, faults: {}, columns: 1 },
  'fields, empty, in two columns': { type: 'fields', fields, filled: false, faults: {}, columns: 2 },
  'fields at fault': {
    type: 'fields',
    fields: [pulse, ward],
    filled: true,
    faults: { Pulse: 'Enter pulse as a number' },
    columns: 2,
  },
  facts: {
    type: 'facts',
    items: [
      { label: 'Allergies', value: LONG },
      { label: 'Weight', value: '72 kg' },
      { label: 'Height', value: '178 cm' },
    ],
    columns: 2,
  },
  'facts in one column': { type: 'facts', items: [{ label: 'Weight', value: '72 kg' }], columns: 1 },
  table: {
    type: 'table',
    caption: 'Patients',
    columns: ['Patient', 'Pulse'],
    numeric: [false, true],
    rows: [
      ['Amira Hassan', '72'],
      ['Ben Carter', '76'],
    ],
    opens: true,
  },
  'table that opens nothing': {
    type: 'table',
    caption: 'Counts',
    columns: ['Ward'],
    numeric: [false],
    rows: [['West']],
    opens: false,
  },
  figures: {
    type: 'figures',
    items: [
      { label: 'All patients', value: '4' },
      { label: 'Waiting time', value: '12345678' },
      { label: 'Longest stay', value: '123456789' },
      { label: 'Beds', value: '1' },
      { label: 'Free', value: '0' },
    ],
  },
  bars: {
    type: 'bars',
    heading: 'Urgency',
    items: [
      { label: 'Routine', value: 14 },
      { label: 'Urgent', value: 7 },
    ],
  },
  'bars of one': { type: 'bars', heading: LONG, items: [{ label: LONG, value: 1 }] },
  'bars of nothing': { type: 'bars', heading: 'Urgency', items: [{ label: 'Routine', value: 0 }] },
  thread: {
    type: 'thread',
    messages: [
      { from: 'Amira', own: false, text: LONG, time: '10:12' },
      { from: 'You', own: true, text: 'Yes.', time: '10:15' },
    ],
  },
  'long words in small places': {
    type: 'figures',
    items: [
      { label: 'Days since the last review of the ward', value: '1' },
      { label: 'Stay', value: 'Longer than any figure is that somebody would put there' },
    ],
  },
  'long words in fields': {
    type: 'fields',
    fields: [
      makeField({ label: LONG, type: 'number', unit: 'millimetres of mercury, sitting', sample: '124' }),
      makeField({ label: LONG, type: 'yes-no', sample: 'No' }),
      makeField({ label: LONG, type: 'choice', options: [LONG], sample: LONG }),
      makeField({ label: 'Notes', type: 'long-text', sample: `${LONG}. ${LONG}. ${LONG}. ${LONG}` }),
    ],
    filled: true,
    faults: {},
    columns: 2,
  },
  'long words in facts': {
    type: 'facts',
    items: [
      { label: LONG, value: LONG },
      { label: LONG, value: LONG },
    ],
    columns: 2,
  },
  'long words in a table': {
    type: 'table',
    caption: 'Notes',
    columns: ['Note', 'Count of the notes that were written on the ward'],
    numeric: [false, true],
    rows: [[`${LONG}. ${LONG}`, '1']],
    opens: true,
  },
  composer: { type: 'composer', label: 'Message' },
  reason: { type: 'reason' },
  skeleton: { type: 'skeleton', lines: 7, label: 'Loading patients…' },
  empty: { type: 'empty', title: 'No patients yet', text: 'Once there is one, it appears here.', button: 'Refresh' },
  'empty without a button': { type: 'empty', title: 'All decided', text: LONG, button: null },
  actions: {
    type: 'actions',
    actions: [
      { label: 'Save', tone: 'primary', confirms: null },
      { label: 'Cancel', tone: 'plain', confirms: null },
      { label: 'Discharge', tone: 'danger', confirms: 'The stay ends.' },
    ],
  },
  'actions in two lines': {
    type: 'actions',
    actions: Array.from({ length: 5 }, (_, at) => ({
      label: `A rather long label ${at}`,
      tone: 'plain' as const,
      confirms: null,
    })),
  },
};
