import { makePackage } from '../../../../factories/hazardLog.ts';
import type { StrangeLog } from './strangeLog.ts';

const encode = (text: string) => new TextEncoder().encode(text);
type Hazard = StrangeLog['hazards'][number];
const hazard = (
  [id, name, effect]: readonly [string | null, string, string],
  causes: readonly string[],
  controls: readonly string[],
  initial?: Hazard['initial'],
  residual?: Hazard['residual'],
): Hazard => ({
  id,
  name,
  effect,
  causes,
  controls,
  ...(initial ? { initial } : {}),
  ...(residual ? { residual } : {}),
});

/** An export of a tracker, whose own fields are called so. */
export const trackerExport: StrangeLog = {
  kind: 'an export of a tracker with custom fields',
  fileName: 'safe.csv',
  bytes: () =>
    encode(
      [
        'Issue key,Issue id,Summary,Status,Custom field (Hazard cause),Custom field (Harm),Custom field (Initial severity),Custom field (Initial likelihood),Custom field (Mitigation),Custom field (Residual severity),Custom field (Residual likelihood)',
        'SAFE-1,10001,Note in the wrong encounter,Open,Two tabs,Wrong care,Major,Low,Banner,Major,Very low',
        'SAFE-7,10007,Print without allergies,Open,Template change,Anaphylaxis,Catastrophic,Low,Template test,,',
      ].join('\n'),
    ),
  hazards: [
    hazard(
      ['SAFE-1', 'Note in the wrong encounter', 'Wrong care'],
      ['Two tabs'],
      ['Banner'],
      ['Major', 'Low'],
      ['Major', 'Very low'],
    ),
    hazard(
      ['SAFE-7', 'Print without allergies', 'Anaphylaxis'],
      ['Template change'],
      ['Template test'],
      ['Catastrophic', 'Low'],
    ),
  ],
};

/** A block of rows for each hazard, with numbered causes and controls and both ratings in a cell each. */
export const blocks: StrangeLog = {
  kind: 'a block of rows for each hazard, with its number in front and ratings in one cell',
  fileName: 'blocks.xlsx',
  bytes: () =>
    makePackage({
      sheets: [
        {
          name: 'Hazards',
          rows: [
            ['Hazard 1', 'Name', 'Wrong rate sent to the pump'],
            [null, 'Effect', 'Overdose'],
            [null, 'Cause 1', 'Decimal comma'],
            [null, 'Cause 2', 'Unit mismatch'],
            [null, 'Initial risk', 'Severity: Catastrophic; Likelihood: Low; Risk: 4'],
            [null, 'Control 1', 'Range check'],
            [null, 'Control 2', 'Nurse confirms'],
            [null, 'Residual risk', 'Severity: Catastrophic; Likelihood: Very low; Risk: 3'],
            [],
            ['Hazard 2', 'Name', 'Pump status is not shown'],
            [null, 'Effect', 'Delay'],
            [null, 'Cause 1', 'Network'],
            [null, 'Initial risk', 'Severity: Considerable; Likelihood: Medium; Risk: 3'],
            [null, 'Control 1', 'Old data is grey'],
            [null, 'Residual risk', 'Severity: Considerable; Likelihood: Low; Risk: 2'],
          ],
        },
      ],
    }),
  hazards: [
    hazard(
      ['Hazard 1', 'Wrong rate sent to the pump', 'Overdose'],
      ['Decimal comma', 'Unit mismatch'],
      ['Range check', 'Nurse confirms'],
      ['Catastrophic', 'Low', 4],
      ['Catastrophic', 'Very low', 3],
    ),
    hazard(
      ['Hazard 2', 'Pump status is not shown', 'Delay'],
      ['Network'],
      ['Old data is grey'],
      ['Considerable', 'Medium', 3],
      ['Considerable', 'Low', 2],
    ),
  ],
};

/** A table in Markdown whose ids stand in the names. */
export const idsInNames: StrangeLog = {
  kind: 'Markdown with the ids in the names, and primes for after controls',
  fileName: 'chat.md',
  bytes: () =>
    encode(`# Risk table

| Hazard | Harm | S | L | RPN | Controls | S' | L' | RPN' |
|---|---|---|---|---|---|---|---|---|
| H1: Message to another patient | Wrong advice | 3 | 2 | 6 | Name in the header | 3 | 1 | 3 |
| H2: Dosing advice | Overdose | 5 | 2 | 10 | Filter | 5 | 1 | 5 |
`),
  hazards: [
    hazard(
      ['H1', 'H1: Message to another patient', 'Wrong advice'],
      [],
      ['Name in the header'],
      ['3', '2', 6],
      ['3', '1', 3],
    ),
    hazard(['H2', 'H2: Dosing advice', 'Overdose'], [], ['Filter'], ['5', '2', 10], ['5', '1', 5]),
  ],
};

/** Spanish and Dutch headings with a patient in them. */
export const spanish: StrangeLog = {
  kind: 'Spanish headings with the id of the hazard and the effect on the patient',
  fileName: 'peligros.csv',
  bytes: () =>
    encode(
      'ID peligro,Peligro,Causa,Efecto en el paciente,Gravedad inicial,Probabilidad inicial,Riesgo inicial,Controles,Gravedad residual,Probabilidad residual,Riesgo residual\n' +
        'P-1,Receta duplicada,Fallo,Sobredosis,4,3,12,Aviso,4,1,4\nP-2,Alergia no mostrada,Texto libre,Anafilaxia,5,2,10,Alerta,5,1,5\n',
    ),
  hazards: [
    hazard(['P-1', 'Receta duplicada', 'Sobredosis'], ['Fallo'], ['Aviso'], ['4', '3', 12], ['4', '1', 4]),
    hazard(['P-2', 'Alergia no mostrada', 'Anafilaxia'], ['Texto libre'], ['Alerta'], ['5', '2', 10], ['5', '1', 5]),
  ],
};
export const dutch: StrangeLog = {
  kind: 'Dutch headings with after the measure behind them',
  fileName: 'gevaren.csv',
  bytes: () =>
    encode(
      'Nr;Gevaar;Oorzaak;Gevolg voor patiënt;Ernst;Kans;Risico;Beheersmaatregel;Ernst na maatregel;Kans na maatregel;Restrisico\n' +
        '1;Verkeerde patiënt;Zelfde naam;Verkeerde behandeling;4;3;12;Geboortedatum;4;1;4\n2;Uitslag te laat;Wachtrij;Vertraging;3;3;9;Alarm;3;2;6\n',
    ),
  hazards: [
    hazard(
      ['1', 'Verkeerde patiënt', 'Verkeerde behandeling'],
      ['Zelfde naam'],
      ['Geboortedatum'],
      ['4', '3', 12],
      ['4', '1', 4],
    ),
    hazard(['2', 'Uitslag te laat', 'Vertraging'], ['Wachtrij'], ['Alarm'], ['3', '3', 9], ['3', '2', 6]),
  ],
};

/** Causes by the ids of hazards, and controls by the ids of causes. */
export const linkedTwice: StrangeLog = {
  kind: 'causes on a sheet by hazard, and controls on another by cause',
  fileName: 'referrals.xlsx',
  bytes: () =>
    makePackage({
      sheets: [
        {
          name: 'Hazards',
          rows: [
            ['Hazard ID', 'Hazard', 'Effect', 'Severity', 'Likelihood', 'Risk'],
            ['HZ-1', 'Referral is lost', 'Delay', 'Major', 'Low', 3],
            ['HZ-2', 'Wrong clinic is booked', 'Delay', 'Significant', 'Medium', 2],
          ],
        },
        {
          name: 'Causes',
          rows: [
            ['Cause ID', 'Hazard ID', 'Cause'],
            ['C-1', 'HZ-1', 'Fax'],
            ['C-2', 'HZ-1', 'Queue'],
            ['C-3', 'HZ-2', 'Similar codes'],
          ],
        },
        {
          name: 'Controls',
          rows: [
            ['Control ID', 'Cause ID', 'Control', 'Type'],
            ['K-1', 'C-1', 'No fax', 'Process'],
            ['K-2', 'C-2', 'Alarm', 'Design'],
            ['K-3', 'C-3', 'Code list', 'Design'],
          ],
        },
      ],
    }),
  hazards: [
    hazard(['HZ-1', 'Referral is lost', 'Delay'], ['Fax', 'Queue'], ['No fax', 'Alarm'], ['Major', 'Low', 3]),
    hazard(['HZ-2', 'Wrong clinic is booked', 'Delay'], ['Similar codes'], ['Code list'], ['Significant', 'Medium', 2]),
  ],
};

/** Two tables below each other, the second with its columns in another order. */
export const twoOrders: StrangeLog = {
  kind: 'two tables on a sheet, the second with its columns in another order',
  fileName: 'areas.xlsx',
  bytes: () =>
    makePackage({
      sheets: [
        {
          name: 'Hazards by area',
          rows: [
            ['1. Booking'],
            ['Hazard ID', 'Hazard', 'Cause', 'Harm', 'Severity', 'Likelihood', 'Controls'],
            ['B1', 'Slot is booked twice', 'Race', 'Delay', 'Minor', 'High', 'Lock'],
            ['B2', 'Reminder to an old number', 'No update', 'Missed visit', 'Significant', 'Medium', 'Confirm it'],
            [],
            ['2. Triage'],
            ['Hazard ID', 'Hazard', 'Harm', 'Cause', 'Likelihood', 'Severity', 'Controls'],
            ['T1', 'Red flag is missed', 'Death', 'Free text', 'Low', 'Catastrophic', 'List of flags'],
            ['T2', 'Wrong pathway', 'Late care', 'Age', 'Medium', 'Considerable', 'Age check'],
          ],
        },
      ],
    }),
  hazards: [
    hazard(['B1', 'Slot is booked twice', 'Delay'], ['Race'], ['Lock'], ['Minor', 'High']),
    hazard(
      ['B2', 'Reminder to an old number', 'Missed visit'],
      ['No update'],
      ['Confirm it'],
      ['Significant', 'Medium'],
    ),
    hazard(['T1', 'Red flag is missed', 'Death'], ['Free text'], ['List of flags'], ['Catastrophic', 'Low']),
    hazard(['T2', 'Wrong pathway', 'Late care'], ['Age'], ['Age check'], ['Considerable', 'Medium']),
  ],
};
