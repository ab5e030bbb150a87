import { makePackage, type SheetCell } from '../../../../factories/hazardLog.ts';
import type { StrangeLog } from './strangeLog.ts';

const book = (name: string, rows: SheetCell[][], after = '') => makePackage({ sheets: [{ name, rows, after }] });
const merged = (...ranges: string[]) =>
  `<mergeCells count="${ranges.length}">${ranges.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;

/** Two rows of headings, P1 and P2, and the three kinds of risk control of ISO 14971, 7.1. */
export const isoControls: StrangeLog = {
  kind: 'ISO 14971 with P1 and P2 and three kinds of risk control under one heading',
  fileName: 'RMF-0032 rev D.xlsx',
  bytes: () =>
    book(
      'Risk table',
      [
        ['RMF-0032 rev D – Risk analysis and evaluation'],
        [
          ...['Ref', 'Hazard', 'Foreseeable sequence of events', 'Hazardous situation', 'Harm'],
          ...['Risk estimation (before)', null, null, null, 'Risk control measures', null, null],
          ...['Risk estimation (after)', null, null, null, 'New risks?', 'Verification'],
        ],
        [
          ...[null, null, null, null, null, 'S', 'P1', 'P2', 'Risk'],
          ...['Inherent safety by design', 'Protective measures', 'Information for safety'],
          ...['S', 'P1', 'P2', 'Risk', null, null],
        ],
        [
          ...['R-01', 'Incorrect output', 'Poor electrode contact', 'AF is not detected', 'Stroke'],
          ...[5, 3, 3, 'Not acceptable', 'Signal quality blocks the result', 'Repeat prompt', 'IFU 4.2'],
          ...[5, 2, 2, 'Acceptable', 'No', 'VER-114'],
        ],
        [
          ...['R-02', 'Incorrect output', 'Ectopic beats', 'Needless anticoagulation', 'Bleeding'],
          ...[4, 3, 2, 'ALARP', 'Ectopy classifier', null, 'Report says “screening only”'],
          ...[4, 2, 2, 'Acceptable', 'No', 'VER-120'],
        ],
        [
          ...['R-03', 'Delay of output', 'Upload stalls', 'Strip is seen after two days', 'Late treatment'],
          ...[4, 3, 3, 'Not acceptable', 'Retry', 'Alert after 4 h', null],
          ...[4, 2, 2, 'Acceptable', 'No', 'VER-131'],
        ],
      ],
      merged('A1:Q1', 'A2:A3', 'B2:B3', 'C2:C3', 'D2:D3', 'E2:E3', 'F2:I2', 'J2:L2', 'M2:P2', 'Q2:Q3', 'R2:R3'),
    ),
  hazards: [
    {
      id: 'R-01',
      name: 'Incorrect output',
      effect: 'Stroke',
      causes: ['Poor electrode contact'],
      controls: ['Signal quality blocks the result', 'IFU 4.2', 'Repeat prompt'],
      initial: ['5', 'P1 3, P2 3'],
      residual: ['5', 'P1 2, P2 2'],
    },
    {
      id: 'R-02',
      name: 'Incorrect output',
      effect: 'Bleeding',
      causes: ['Ectopic beats'],
      controls: ['Ectopy classifier', 'Report says “screening only”'],
      initial: ['4', 'P1 3, P2 2'],
      residual: ['4', 'P1 2, P2 2'],
    },
    {
      id: 'R-03',
      name: 'Delay of output',
      effect: 'Late treatment',
      causes: ['Upload stalls'],
      controls: ['Retry', 'Alert after 4 h'],
      initial: ['4', 'P1 3, P2 3'],
      residual: ['4', 'P1 2, P2 2'],
    },
  ],
};

/** “Potential failure mode”, controls of prevention and of detection, and a second set of ratings with the same heads. */
export const failureModes: StrangeLog = {
  kind: 'a process FMEA with controls of prevention and detection and two sets of equal headings',
  fileName: 'pFMEA dispensing.xlsx',
  bytes: () =>
    book('pFMEA dispensing', [
      ['Process FMEA', null, 'Team: Pharmacy, IT'],
      [],
      [
        ...['#', 'Process step / function', 'Potential failure mode', 'Potential effect(s) of failure', 'SEV'],
        ...['Potential cause(s)', 'OCC', 'Current controls (prevention)', 'Current controls (detection)', 'DET', 'RPN'],
        ...['Recommended action', 'Responsible', 'Target date', 'Actions taken', 'SEV', 'OCC', 'DET', 'RPN'],
      ],
      [
        ...[10, 'Label printing', 'Label of the item before', 'Wrong medicine', 9, 'Print queue is not cleared', 4],
        ...['Queue cleared at login', 'Barcode check', 3, 108, 'Clear it per item', 'Lead', '2026-02-01', 'Done'],
        ...[9, 2, 3, 54],
      ],
      [
        ...[20, 'Dose check', 'Rule is not applied to liquids', 'Overdose', 10, 'Unit conversion', 3],
        ...[null, 'Second pharmacist', 4, 120, 'Convert', 'Lead', '2026-03-01', null],
        ...[10, 2, 4, 80],
      ],
      [
        ...[30, 'Hand-out', 'Bag given to a namesake', 'Wrong medicine', 9, 'Only the surname is shown', 3],
        ...['Address asked', null, 5, 135, 'Show the birthday', 'Lead', '2026-03-01', null],
        ...[9, 2, 2, 36],
      ],
    ]),
  hazards: [
    {
      id: '10',
      name: 'Label of the item before',
      effect: 'Wrong medicine',
      causes: ['Print queue is not cleared'],
      controls: ['Queue cleared at login', 'Barcode check'],
      initial: ['9', '4', 108],
      residual: ['9', '2', 54],
    },
    {
      id: '20',
      name: 'Rule is not applied to liquids',
      effect: 'Overdose',
      causes: ['Unit conversion'],
      controls: ['Second pharmacist'],
      initial: ['10', '3', 120],
      residual: ['10', '2', 80],
    },
    {
      id: '30',
      name: 'Bag given to a namesake',
      effect: 'Wrong medicine',
      causes: ['Only the surname is shown'],
      controls: ['Address asked'],
      initial: ['9', '3', 135],
      residual: ['9', '2', 36],
    },
  ],
};

/** C and L for consequence and likelihood, and their matrix in columns beside the log. */
export const letters: StrangeLog = {
  kind: 'ratings headed C, L and Score, with their matrix beside the log',
  fileName: 'imaging.xlsx',
  bytes: () =>
    book('Log', [
      [
        ...[
          'Hazard ID',
          'Hazard description',
          'Cause',
          'Effect',
          'C',
          'L',
          'Score',
          'Mitigation',
          'C2',
          'L2',
          'Score2',
        ],
        ...['Status', null, null, null, 'A', 'B', 'C', 'D', 'E'],
      ],
      [
        ...['RAD-01', 'Image is mirrored', 'Tag ignored', 'Wrong side', 5, 2, 10, 'Marker in the image', 5, 1, 5],
        ...['Closed', null, null, 'L5', 5, 10, 15, 20, 25],
      ],
      [
        ...['RAD-02', 'Earlier images are missing', 'Archive time-out', 'Growth missed', 4, 3, 12, 'Banner', 4, 2, 8],
        ...['Open', null, null, 'L4', 4, 8, 12, 16, 20],
      ],
    ]),
  hazards: [
    {
      id: 'RAD-01',
      name: 'Image is mirrored',
      effect: 'Wrong side',
      causes: ['Tag ignored'],
      controls: ['Marker in the image'],
      initial: ['5', '2', 10],
      residual: ['5', '1', 5],
    },
    {
      id: 'RAD-02',
      name: 'Earlier images are missing',
      effect: 'Growth missed',
      causes: ['Archive time-out'],
      controls: ['Banner'],
      initial: ['4', '3', 12],
      residual: ['4', '2', 8],
    },
  ],
};

const encode = (text: string) => new TextEncoder().encode(text);

/** “… nach Maßnahmen” behind a heading in German. */
export const germanAfter: StrangeLog = {
  kind: 'German headings that say after controls at their end',
  fileName: 'Risikoanalyse.csv',
  bytes: () =>
    encode(
      [
        '\uFEFFNr.;Gefährdung;Gefährdungssituation;Schaden;Ursache;Schweregrad;Eintrittswahrscheinlichkeit;Risiko;Maßnahmen;Schweregrad nach Maßnahmen;Wahrscheinlichkeit nach Maßnahmen;Restrisiko',
        'G-01;Falsche Dosis angezeigt;Arzt übernimmt sie;Überdosierung;Einheit vertauscht;4;3;12;Einheit wird angezeigt;4;1;4',
        'G-02;Allergie nicht angezeigt;Verordnung trotzdem;Anaphylaxie;Freitext;5;2;10;Warnhinweis;5;1;5',
      ].join('\n'),
    ),
  hazards: [
    {
      id: 'G-01',
      name: 'Falsche Dosis angezeigt',
      effect: 'Überdosierung',
      causes: ['Einheit vertauscht'],
      controls: ['Einheit wird angezeigt'],
      initial: ['4', '3', 12],
      residual: ['4', '1', 4],
    },
    {
      id: 'G-02',
      name: 'Allergie nicht angezeigt',
      effect: 'Anaphylaxie',
      causes: ['Freitext'],
      controls: ['Warnhinweis'],
      initial: ['5', '2', 10],
      residual: ['5', '1', 5],
    },
  ],
};

/** A risk register of an organisation: "There is a risk that …", caused by, resulting in. */
export const riskRegister: StrangeLog = {
  kind: 'a risk register in sentences, with three ratings in words',
  fileName: 'Register 2026.xlsx',
  bytes: () =>
    book('Register 2026', [
      [
        ...['Risk ref', 'Risk title', 'There is a risk that… (hazard)', 'Caused by', 'Resulting in', 'Inherent rating'],
        ...['Controls', 'Gaps in control', 'Current rating', 'Target rating', 'Lead', 'Review date'],
      ],
      [
        ...['CS/14', 'Spoken notes', 'the summary names another drug', 'accents', 'wrong prescription', 'High'],
        ...['Clinician reads and signs', 'No measure of edits', 'Moderate', 'Low', 'CCIO', '2027-01-01'],
      ],
      [
        ...['CS/15', 'Wrong record', 'the summary is saved elsewhere', 'window switch', 'wrong care', 'Extreme'],
        ...['Patient banner', 'Off on small screens', 'High', 'Low', 'CCIO', '2027-01-01'],
      ],
    ]),
  hazards: [
    {
      id: 'CS/14',
      name: 'Spoken notes',
      effect: 'wrong prescription',
      causes: ['accents'],
      controls: ['Clinician reads and signs'],
    },
    {
      id: 'CS/15',
      name: 'Wrong record',
      effect: 'wrong care',
      causes: ['window switch'],
      controls: ['Patient banner'],
    },
  ],
};
