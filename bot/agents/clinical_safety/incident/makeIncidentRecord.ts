import { dayText } from '../../../../models/contracts/zonedText.ts';
import type { WordBlock, WordCell, WordDocument, WordRun } from '../../../engine/files/wordDocument.ts';
import { riskText } from '../reports/reportFigures.ts';
import { type ConcernedHazard, findConcerned } from './findConcerned.ts';
import type { IncidentInput } from './incidentInput.ts';
import { type IncidentFact, readIncident } from './readIncident.ts';

const gap = (what: string): WordRun => ({ text: `[To fill in: ${what}]`, gap: true });
const heading = (text: string, level: 1 | 2 = 1): WordBlock => ({ kind: 'heading', level, text });
const text = (...runs: readonly WordRun[]): WordBlock => ({ kind: 'text', runs });
const list = (items: readonly (string | readonly WordRun[])[]): WordBlock => ({
  kind: 'list',
  items: items.map((item) => (typeof item === 'string' ? [item] : item)),
});
const cell = (...lines: readonly (readonly WordRun[])[]): WordCell => ({ lines });

/** First steps in the order of urgency; the clauses are those of DCB0129 4.2. */
const FIRST_STEPS: readonly string[] = [
  'Make sure that every patient concerned is being looked after.',
  'Stop it from happening again: switch off, roll back, or tell users what to do instead. Whether stopping is safer than going on is a clinical decision.',
  'Tell the Clinical Safety Officer and whoever the plan names for incidents.',
  'Keep the evidence: logs, screenshots, messages, database state, versions, with times. Change nothing that is not needed to stop harm.',
  'Find other patients and sites that may be concerned.',
  'Tell the organisations that use the product what they have to know to keep patients safe.',
  'Enter it in the safety incident management log (3.6.1, 7.2.5).',
  'Assess the effect on the safety case (7.2.2) and decide on corrective action (7.2.3).',
];

function known(facts: readonly IncidentFact[]): WordBlock {
  return {
    kind: 'table',
    caption: 'What is known, in the words of whoever told it',
    head: ['Point', 'As told', 'To find out'],
    rows: facts.map(({ label, quotes, question }) => [
      label,
      quotes.length > 0 ? cell(...quotes.map((quote) => [`“${quote}”`])) : 'Not said',
      cell(quotes.length > 0 ? [gap('confirm, with who and when')] : [question, ' ', gap('answer, with who and when')]),
    ]),
    widths: [2, 4, 4],
    hasRowHeads: true,
  };
}

const distance = ({ isNear }: ConcernedHazard) =>
  isNear ? 'Near, by words and meaning' : 'Further away: listed so that nothing is missed';

function concerned({ log, timeZone }: IncidentInput, hazards: readonly ConcernedHazard[]): WordBlock[] {
  if (!log)
    return [
      text('No hazard log was analysed in Arc, so none was compared.'),
      text(gap('hazards of the log that are concerned')),
    ];
  const source = `Compared with ${log.fileName}${log.version ? `, version ${log.version}` : ''}, analysed ${dayText(log.analysedAt, timeZone)}. SHA-256 ${log.digest}.`;
  if (hazards.length === 0)
    return [
      text(source),
      text('No hazard of the log comes near. It may be one that the log does not have.'),
      text(gap('a new hazard, or the one that is concerned')),
    ];
  return [
    text(source, ' These are places to look; whether one is concerned, a person decides.'),
    {
      kind: 'table',
      caption: 'Hazards to look at first',
      head: ['Hazard', 'How near', 'Risk as recorded (initial, residual)', 'Controls to check: did they work?'],
      rows: hazards.map((one) => [
        `${one.hazard.id}: ${one.hazard.name}`,
        distance(one),
        `${riskText(one.hazard.initial)}, ${riskText(one.hazard.residual)}`,
        one.hazard.controls.length > 0
          ? cell(...one.hazard.controls.map((control) => [control.text]))
          : 'The log names none.',
      ]),
      widths: [3, 2, 2, 5],
      hasRowHeads: true,
    },
    text(gap('concerned: which, or a new one; controls that failed; ratings to look at again')),
  ];
}

/** Letters that a person finishes and sends. Arc sends none. */
function letters({ officer, toldAt, timeZone }: IncidentInput): WordBlock[] {
  const day = dayText(toldAt, timeZone);
  return [
    heading('4 Letters, to finish and send yourselves'),
    text({ text: 'Arc has sent nothing.', bold: true }),
    heading('To the Clinical Safety Officer and top management', 2),
    text(officer ? `To: ${officer}` : gap('name of the Clinical Safety Officer'), ', ', gap('top management')),
    text(
      `On ${day} we learned of an incident that may concern patient safety: `,
      gap('what happened, in two sentences'),
      '.',
    ),
    text(
      'Patients: ',
      gap('known or not known, and who looks after them'),
      '. Can it still happen: ',
      gap('yes, no, not known'),
      '.',
    ),
    text('We need from you: ', gap('a decision, by when'), '.'),
    heading('To the organisations that use the product', 2),
    text(
      `On ${day} we learned of a fault in `,
      gap('product and version'),
      ': ',
      gap('what it does wrong, and when'),
      '.',
    ),
    text('What to do now: ', gap('the workaround, in steps that a busy clinician can follow'), '.'),
    text(
      'Patients to look for: ',
      gap('how to find those who may be concerned'),
      '. Tell us what you find: ',
      gap('whom, by phone and mail'),
      '.',
    ),
    text('We will write again by ', gap('time'), ', also if there is nothing new.'),
    heading('To an authority, where the product is a medical device', 2),
    text(
      'Whether it has to be reported, to whom and by when, your regulatory lead decides. In the EU a serious incident is reported at the latest 15 days after the manufacturer becomes aware of it; 10 days for a death or an unanticipated serious deterioration, 2 days for a serious threat to public health (MDR 2017/745, Article 87; check the current text). In Great Britain the authority is the MHRA.',
    ),
    text('Aware since: ', gap('day and time'), '. Reportable: ', gap('yes or no, why, decided by'), '.'),
  ];
}

/** The record of an incident's first hour, with what the chat says of it. */
export function makeIncidentRecord(input: IncidentInput): {
  document: WordDocument;
  facts: IncidentFact[];
  concerned: ConcernedHazard[];
} {
  const facts = readIncident(input.text);
  const hazards = input.log ? findConcerned(input.text, input.log.hazards) : [];
  const told = `${dayText(input.toldAt, input.timeZone)}${input.toldBy ? ` by ${input.toldBy}` : ''}`;
  const document: WordDocument = {
    title: 'Incident: the first hour',
    subtitle: `As told on ${told}`,
    state: 'Draft, nothing sent',
    author: 'Arc',
    footer: `Incident record · told ${told}`,
    cover: [
      { label: 'Incident reference', runs: [gap('number in the safety incident management log')] },
      { label: 'Product and version', runs: [gap('name and version')] },
      { label: 'Owner of this incident', runs: [gap('name')] },
      {
        label: 'Status',
        runs: [
          'A draft that puts in order what was told. It judges nothing: no severity, no cause, no hazard is decided here.',
        ],
      },
    ],
    parts: [
      {
        isLandscape: false,
        blocks: [
          heading('1 Now'),
          list(FIRST_STEPS.map((step) => [step, ' ', gap('who, when')])),
          heading('2 What is known'),
          known(facts),
          heading('What was told, whole', 2),
          ...input.text
            .split(/\n+/)
            .filter((line) => line.trim())
            .map((line) => text(line.trim())),
          heading('3 Hazards of the log to look at'),
          ...concerned(input, hazards),
          ...letters(input),
          heading('5 Timeline'),
          {
            kind: 'table',
            caption: 'What happened and what was done, by time',
            head: ['Time (with zone)', 'What', 'Who', 'Source'],
            rows: Array.from({ length: 6 }, () => ['', '', '', '']),
            widths: [2, 5, 2, 3],
          },
          heading('6 Closing the first hour'),
          text(
            'Severity, likelihood, cause and corrective action: ',
            gap('by the Clinical Safety Officer, after the facts'),
          ),
          text('Clinical Safety Officer: ', gap('name, date')),
        ],
      },
    ],
  };
  return { document, facts, concerned: hazards };
}
