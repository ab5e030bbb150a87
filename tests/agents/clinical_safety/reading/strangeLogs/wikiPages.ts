import type { StrangeLog } from './strangeLog.ts';

const page = (title: string, rows: [string, string][]) => `<h2>${title}</h2>
<table class="confluenceTable"><tbody>
${rows.map(([field, entry]) => `<tr><th>${field}</th><td>${entry}</td></tr>`).join('\n')}
</tbody></table>`;

const TEXT = `<!DOCTYPE html><html><head><title>Hazards</title></head><body>
<h1>Hazard register of the blood bank app</h1>
<p>Exported from the wiki on 3 March 2026.</p>
${page('BB-1: Blood group of another patient', [
  ['Description', 'The app shows the group of the patient opened before.'],
  ['Causes', '<ul><li>The cache is keyed by ward</li><li>The page is not reloaded</li></ul>'],
  ['Harm', 'Transfusion reaction'],
  ['Initial risk', '4 (Catastrophic / Low)'],
  ['Mitigation', 'The group is read again before release'],
  ['Residual risk', '3 (Catastrophic / Very low)'],
])}
<p>Agreed with the transfusion team.</p>
${page('BB-2: Unit is released after its date', [
  ['Description', 'A unit that has run out can be booked.'],
  ['Causes', 'The clock of the fridge is wrong'],
  ['Harm', 'Sepsis'],
  ['Initial risk', '3 (Major / Low)'],
  ['Mitigation', 'The server checks the date'],
  ['Residual risk', '2 (Major / Very low)'],
])}
</body></html>`;

/** A page of a wiki: a heading for each hazard and a table of headings and texts below it, both ratings in one cell. */
export const wikiPages: StrangeLog = {
  kind: 'web page, a table for each hazard below its heading, both ratings in one cell',
  fileName: 'hazards.html',
  bytes: () => new TextEncoder().encode(TEXT),
  hazards: [
    {
      id: 'BB-1',
      name: 'Blood group of another patient',
      effect: 'Transfusion reaction',
      causes: ['The cache is keyed by ward\nThe page is not reloaded'],
      controls: ['The group is read again before release'],
      initial: [null, null, 4],
      residual: [null, null, 3],
    },
    {
      id: 'BB-2',
      name: 'Unit is released after its date',
      effect: 'Sepsis',
      causes: ['The clock of the fridge is wrong'],
      controls: ['The server checks the date'],
      initial: [null, null, 3],
      residual: [null, null, 2],
    },
  ],
};
