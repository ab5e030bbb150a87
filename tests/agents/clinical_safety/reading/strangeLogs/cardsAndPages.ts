import { writeDocument } from '../../../../../bot/agents/clinical_safety/evaluation/logs/writeDocument.ts';
import { makePackage, type SheetCell } from '../../../../factories/hazardLog.ts';
import type { StrangeLog } from './strangeLog.ts';

const encode = (text: string) => new TextEncoder().encode(text);

type CardRow = [id: string, name: string, effect: string, cause: string, control: string, ...ratings: string[]];
const card = ([id, name, effect, cause, control, s1, l1, r1, s2, l2, r2]: CardRow) => [
  ['Hazard ID', id, 'Status', 'Open'],
  ['Hazard name', name, 'Owner', 'Safety officer'],
  ['Clinical effect', effect, 'Causes', cause],
  ['Mitigations', control, 'Evidence', ''],
  ['Initial severity', s1 ?? '', 'Initial likelihood', l1 ?? ''],
  ['Initial risk', r1 ?? '', 'Residual severity', s2 ?? ''],
  ['Residual likelihood', l2 ?? '', 'Residual risk', r2 ?? ''],
];
const WRONG_PATIENT: CardRow = [
  ...([
    'TH-1',
    'Reading of another patient',
    'Wrong treatment',
    'Device paired twice',
    'Photo on each reading',
  ] as const),
  ...['Major', 'Medium', '3', 'Major', 'Low', '2'],
];
const WRONG_UNIT: CardRow = [
  ...(['TH-2', 'Pressure in the wrong unit', 'Under-treatment', 'Import in kPa', 'Unit is shown'] as const),
  ...['Considerable', 'Low', '2', 'Considerable', 'Very low', '1'],
];

/** A Word document with a table for each hazard, of two pairs of heading and text in each row. */
export const pairedCards: StrangeLog = {
  kind: 'cards with two headings in each row, in a Word document',
  fileName: 'Hazard register.docx',
  bytes: () =>
    writeDocument([
      { heading: 'Hazard register: telemonitoring' },
      { heading: 'TH-1 Reading of another patient' },
      { table: card(WRONG_PATIENT) },
      { heading: 'TH-2 Pressure in the wrong unit' },
      { table: card(WRONG_UNIT) },
    ]),
  hazards: [WRONG_PATIENT, WRONG_UNIT].map(([id, name, effect, cause, control, s1, l1, r1, s2, l2, r2]) => ({
    id,
    name,
    effect,
    causes: [cause],
    controls: [control],
    initial: [s1 ?? '', l1 ?? '', Number(r1)] as const,
    residual: [s2 ?? '', l2 ?? '', Number(r2)] as const,
  })),
};

const form = (id: string, name: string, ratings: SheetCell[][]): SheetCell[][] => [
  ['Hazard Assessment Form'],
  [],
  ['Hazard ID', id],
  ['Hazard name', name],
  ['Patient impact', `Harm of ${id}`],
  ['Possible cause', `Cause of ${id}`],
  ['Control', `Control of ${id}`],
  [],
  ...ratings,
  [],
  ['Approved by', null],
];

/** A sheet for each hazard, with the ratings in a small table that lies one way in the first and the other in the second. */
export const formPerSheet: StrangeLog = {
  kind: 'a form on a sheet for each hazard, with its ratings in a small table',
  fileName: 'Assessment forms.xlsx',
  bytes: () =>
    makePackage({
      sheets: [
        {
          name: 'H-001',
          rows: form('H-001', 'Dose is rounded up', [
            [null, 'Severity', 'Likelihood', 'Risk'],
            ['Initial', 'Major', 'Medium', 3],
            ['Residual', 'Major', 'Very low', 2],
          ]),
        },
        {
          name: 'H-002',
          rows: form('H-002', 'Bolus is not shown', [
            [null, 'Before controls', 'After controls'],
            ['Severity', 'Considerable', 'Considerable'],
            ['Likelihood', 'Medium', 'Low'],
            ['Risk score', 3, 2],
          ]),
        },
      ],
    }),
  hazards: [
    {
      id: 'H-001',
      name: 'Dose is rounded up',
      effect: 'Harm of H-001',
      causes: ['Cause of H-001'],
      controls: ['Control of H-001'],
      initial: ['Major', 'Medium', 3],
      residual: ['Major', 'Very low', 2],
    },
    {
      id: 'H-002',
      name: 'Bolus is not shown',
      effect: 'Harm of H-002',
      causes: ['Cause of H-002'],
      controls: ['Control of H-002'],
      initial: ['Considerable', 'Medium', 3],
      residual: ['Considerable', 'Low', 2],
    },
  ],
};

/** Sections with lists, and the ratings of both phases in one sentence. */
export const inlineRatings: StrangeLog = {
  kind: 'Markdown with lists, labels in italics, and both ratings in one line',
  fileName: 'notes.md',
  bytes: () =>
    encode(`# Hazard log – reminder

Scale: severity 1–4, likelihood A–D.

## HZ01 – Reminder is not shown
*Impact*: the patient misses a dose.
**Causes**
- Battery saver: it stops the app
- Time zone changed while travelling
**Controls**
- Notifications are scheduled ahead
- Warning while it is on (evidence: TC-12)

Before: severity 2, likelihood B. After: severity 2, likelihood D.

## HZ02 – Reminder for a stopped medicine
*Impact*: the patient takes it.
**Causes**
- Record synchronised once a week
**Controls**
- none yet

Before: severity 1, likelihood C.
`),
  hazards: [
    {
      id: 'HZ01',
      name: 'Reminder is not shown',
      effect: 'the patient misses a dose.',
      causes: ['Battery saver: it stops the app\nTime zone changed while travelling'],
      controls: ['Notifications are scheduled ahead\nWarning while it is on (evidence: TC-12)'],
      initial: ['2', 'B'],
      residual: ['2', 'D'],
    },
    {
      id: 'HZ02',
      name: 'Reminder for a stopped medicine',
      effect: 'the patient takes it.',
      causes: ['Record synchronised once a week'],
      controls: [],
      initial: ['1', 'C'],
      residual: [null, null],
    },
  ],
};

/** A page of a wiki whose headings ask, with "Before" and "After" above Sev and Lik. */
export const wikiQuestions: StrangeLog = {
  kind: 'a web page whose headings are questions, under Before and After',
  fileName: 'Virtual ward.html',
  bytes: () =>
    encode(`<html><body><h1>Virtual ward</h1><table><tr><th>ID</th><th>Hazard / scenario</th><th>Harm</th>
<th>Why could it happen</th><th>What do we do about it</th><th colspan="2">Before</th><th colspan="2">After</th><th>State</th></tr>
<tr><th></th><th></th><th></th><th></th><th></th><th>Sev</th><th>Lik</th><th>Sev</th><th>Lik</th><th></th></tr>
<tr><td>VW-1</td><td>Video call fails</td><td>Late escalation</td><td>Bandwidth</td><td>Phone</td><td>3</td><td>4</td><td>3</td><td>2</td><td>Open</td></tr>
<tr><td>VW-2</td><td>Device of another person</td><td>Wrong treatment</td><td>Shared device</td><td>Ask first</td><td>4</td><td>3</td><td>4</td><td>2</td><td>Open</td></tr>
</table></body></html>`),
  hazards: [
    {
      id: 'VW-1',
      name: 'Video call fails',
      effect: 'Late escalation',
      causes: ['Bandwidth'],
      controls: ['Phone'],
      initial: ['3', '4'],
      residual: ['3', '2'],
    },
    {
      id: 'VW-2',
      name: 'Device of another person',
      effect: 'Wrong treatment',
      causes: ['Shared device'],
      controls: ['Ask first'],
      initial: ['4', '3'],
      residual: ['4', '2'],
    },
  ],
};
