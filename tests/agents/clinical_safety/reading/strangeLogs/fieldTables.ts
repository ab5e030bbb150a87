import type { StrangeLog } from './strangeLog.ts';

const TEXT = `# Clinical safety: discharge letters

Owner: the safety board. Reviewed every six months.

## HZD-014 Letter sent to the wrong practice

| Field | Entry |
|---|---|
| Raised by | Ward clerk |
| Cause | The practice is chosen by name alone |
| Effect on the patient | Follow-up is missed |
| Severity | Major |
| Likelihood | Medium |
| Controls | 1. The practice code is shown<br>2. Undelivered letters come back |
| Severity after controls | Major |
| Likelihood after controls | Low |
| State | Open |

The board asked for figures in October.

## HZD-015 Medication list is out of date

| Field | Entry |
|---|---|
| Raised by | Pharmacist |
| Cause | The list is copied when the draft begins |
| Effect on the patient | A stopped drug is given again |
| Severity | Considerable |
| Likelihood | High |
| Controls | The list is read again at signing |
| Severity after controls | Considerable |
| Likelihood after controls | Very low |
| State | Closed |

## HZD-016 Letter is signed twice

| Field | Entry |
|---|---|
| Raised by | Developer |
| Cause | The button reacts late |
| Effect on the patient | None known |
| Severity | Minor |
| Likelihood | Low |
| Controls | |
| State | Open |
`;

/** A text in Markdown: a heading with id and name for each hazard, and a table of fields and entries below it. */
export const fieldTables: StrangeLog = {
  kind: 'Markdown, a table of fields below a heading for each hazard',
  fileName: 'discharge-letters.md',
  bytes: () => new TextEncoder().encode(TEXT),
  hazards: [
    {
      id: 'HZD-014',
      name: 'Letter sent to the wrong practice',
      effect: 'Follow-up is missed',
      causes: ['The practice is chosen by name alone'],
      controls: ['1. The practice code is shown\n2. Undelivered letters come back'],
      initial: ['Major', 'Medium'],
      residual: ['Major', 'Low'],
    },
    {
      id: 'HZD-015',
      name: 'Medication list is out of date',
      effect: 'A stopped drug is given again',
      causes: ['The list is copied when the draft begins'],
      controls: ['The list is read again at signing'],
      initial: ['Considerable', 'High'],
      residual: ['Considerable', 'Very low'],
    },
    {
      id: 'HZD-016',
      name: 'Letter is signed twice',
      effect: 'None known',
      causes: ['The button reacts late'],
      controls: [],
      initial: ['Minor', 'Low'],
      residual: [null, null],
    },
  ],
};
