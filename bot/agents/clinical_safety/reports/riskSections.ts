import type { ExistingHazard, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import type { WordBlock, WordRun, WordTable } from '../../../engine/files/wordDocument.ts';
import { counted } from '../counted.ts';
import { tableOfMatrix } from './matrixTable.ts';
import {
  figuresOfLog,
  findTransferred,
  NOT_RECORDED,
  riskText,
  type Stage,
  type Tally,
  tallyRisks,
  tallyStatuses,
} from './reportFigures.ts';
import { gap, MAX_REPORT_ROWS, type ReportInput } from './reportInput.ts';

const text = (...runs: readonly WordRun[]): WordBlock => ({ kind: 'text', runs });
const list = (...items: readonly WordRun[]): WordBlock => ({ kind: 'list', items: items.map((item) => [item]) });
const heading = (title: string, level: 1 | 2 = 1): WordBlock => ({ kind: 'heading', level, text: title });

const tableOfTally = (caption: string, what: string, tally: Tally): WordTable => ({
  kind: 'table',
  caption,
  head: [what, 'Hazards'],
  rows: tally.map(({ label, count }) => [label, String(count)]),
  widths: [3, 1],
  hasRowHeads: true,
  share: 0.5,
});

const ids = (hazards: readonly ExistingHazard[]): string => hazards.map(({ id }) => id).join(', ');
const word = (value: string | null): string => value ?? NOT_RECORDED;

/** From this risk of the NHS matrix on, 6.1.2 and 6.2.1 ask why the residual risk is borne. */
const NHS_UNDESIRABLE = 3;
const NHS_LEVELS = [
  '5: unacceptable',
  '4: has to be eliminated, or controlled to an acceptable level',
  '3: undesirable; acceptable only where further reduction is impractical',
  '2: acceptable where the cost of further reduction outweighs what it gains',
  '1: acceptable without further action',
];

function matrixOrReason({ result }: ReportInput, stage: Stage): WordBlock[] {
  const { existingHazards: hazards, analysisMetadata } = result;
  const { matrix } = analysisMetadata.log;
  const drawn = tableOfMatrix(hazards, stage, matrix, `Hazards by ${stage} severity and likelihood (${matrix.name})`);
  if (!drawn) return [text('The log states no severities and likelihoods, so no matrix is drawn.')];
  const { table, unplaced } = drawn;
  return [
    table,
    ...(unplaced.length > 0
      ? [
          text(
            `${counted(unplaced.length, 'hazard has', 'hazards have')} no place in this matrix, because a rating is blank or not one of its words: ${ids(unplaced)}.`,
          ),
        ]
      : []),
  ];
}

const differing = (count: number, stage: Stage): WordBlock[] =>
  count === 0
    ? []
    : [
        text({
          text: `For ${counted(count, 'hazard')} the recorded ${stage} risk is not the one that the matrix gives. Both are shown wherever the risk stands in this report.`,
          bold: true,
        }),
      ];

function identification(input: ReportInput): WordBlock[] {
  const { result, decisions } = input;
  const figures = figuresOfLog(result);
  const { coverage } = figures;
  const accepted = decisions.filter(({ outcome }) => outcome !== 'rejected').length;
  const rejected = decisions.length - accepted;
  return [
    heading('5 Hazard identification and summary of the log'),
    text(gap('how hazards were identified (4.3.1): workshops with dates, methods, and who took part')),
    text(
      `The log holds ${counted(figures.hazards, 'hazard')} with ${counted(figures.causes, 'cause entry', 'cause entries')} and ${counted(figures.controls, 'control entry', 'control entries')}. A cell that lists several is one entry.`,
    ),
    tableOfTally('Hazards by their status, as the log writes it', 'Status', tallyStatuses(result.existingHazards)),
    ...(figures.withoutOwner > 0
      ? [text(`${counted(figures.withoutOwner, 'hazard names', 'hazards name')} no owner.`)]
      : []),
    figures.tickets === 0
      ? text('No tickets were compared with the log.')
      : text(
          `${counted(figures.tickets, 'ticket')} were compared with the log. By rules, ${coverage.relevant} of them concern safety; ${coverage.covered} of these are named in the log, name a hazard, or were matched by a person.`,
        ),
    ...(figures.proposals > 0
      ? [
          text(
            `From these tickets ${describeProposals(result.newHazards)} ${figures.proposals === 1 ? 'was' : 'were'} proposed: ${accepted} accepted, ${rejected} rejected, ${Math.max(0, figures.proposals - decisions.length)} without a decision that was sent. They are not part of the analysed log and are counted in no table of this report.`,
          ),
        ]
      : []),
  ];
}

function analysisAndEvaluation(input: ReportInput): WordBlock[] {
  const { existingHazards: hazards, analysisMetadata } = input.result;
  const { matrix } = analysisMetadata.log;
  const { differing: differs } = figuresOfLog(input.result);
  return [
    heading('6 Clinical risk analysis'),
    text(
      matrix.source === 'none'
        ? 'The log’s ratings follow no matrix that could be recognised.'
        : `Risks were compared with this matrix: ${matrix.name}. Arc changes no rating; all are shown as the log records them.`,
    ),
    text(gap('that the severities, likelihoods and matrix are those of the plan (4.4.1)')),
    ...matrixOrReason(input, 'initial'),
    ...differing(differs.initial, 'initial'),
    heading('7 Clinical risk evaluation'),
    tableOfTally('Hazards by recorded initial risk', 'Initial risk', tallyRisks(hazards, 'initial')),
    ...(matrix.source === 'nhs' ? [text('The NHS matrix gives its levels this meaning:'), list(...NHS_LEVELS)] : []),
    text(gap('the plan’s criteria for acceptable risk, and which initial risks they accept (5.1.1 and 5.1.2)')),
  ];
}

function control({ result }: ReportInput): WordBlock[] {
  const { byKind, controls, withEvidence, withoutControls } = figuresOfLog(result);
  const transferred = findTransferred(result.existingHazards);
  const kinds: [string, number][] = [
    ['In place', byKind.existing],
    ['Design', byKind.design],
    ['Test', byKind.test],
    ['Training', byKind.training],
    ['Business process', byKind.business],
    ['Kind not stated', byKind.unspecified],
  ];
  return [
    heading('8 Clinical risk control'),
    {
      kind: 'table',
      caption: 'Controls by kind',
      head: ['Kind', 'Controls'],
      rows: kinds.filter(([, count]) => count > 0).map(([kind, count]) => [kind, String(count)]),
      widths: [3, 1],
      hasRowHeads: true,
      share: 0.5,
    },
    text(
      `${withEvidence} of ${counted(controls, 'control')} ${withEvidence === 1 ? 'names' : 'name'} evidence in the log.${withoutControls > 0 ? ` ${counted(withoutControls, 'hazard has', 'hazards have')} no control.` : ''}`,
    ),
    text(gap('how each control was verified to be implemented and effective (6.3.2 and 6.3.3)')),
    heading('Controls that others have to put in place', 2),
    transferred.length > 0
      ? text(
          `The log marks ${counted(transferred.length, 'hazard')} as transferred, in whole or in a control: ${ids(transferred)}.`,
        )
      : text('The log marks nothing as transferred.'),
    text(gap('what the receiving organisation has to do for each of them (6.3.1), or that there is nothing')),
  ];
}

const ratingLine = ({ severity, likelihood }: Rating): string => `${word(severity)} / ${word(likelihood)}`;
const byResidual = (left: ExistingHazard, right: ExistingHazard): number =>
  (right.residual.risk ?? Number.POSITIVE_INFINITY) - (left.residual.risk ?? Number.POSITIVE_INFINITY) || 0;

function residual(input: ReportInput): WordBlock[] {
  const { existingHazards: hazards, analysisMetadata } = input.result;
  const { source } = analysisMetadata.log.matrix;
  const { differing: differs } = figuresOfLog(input.result);
  const why = ({ residual: { risk }, rationale }: ExistingHazard): WordRun => {
    if (rationale) return rationale;
    const needsReason = source !== 'nhs' || risk === null || risk >= NHS_UNDESIRABLE;
    return needsReason ? gap('why this residual risk is borne, or that it is not') : 'none in the log';
  };
  return [
    heading('9 Residual risks'),
    tableOfTally('Hazards by recorded residual risk', 'Residual risk', tallyRisks(hazards, 'residual')),
    ...matrixOrReason(input, 'residual'),
    ...differing(differs.residual, 'residual'),
    {
      kind: 'table',
      caption: 'Each hazard before and after its controls; unrated first, then the highest residual risk',
      head: ['Hazard', 'Name', 'Initial', 'Risk', 'Residual', 'Risk', 'Rationale'],
      rows: [...hazards]
        .sort(byResidual)
        .slice(0, MAX_REPORT_ROWS)
        .map((hazard) => [
          hazard.id,
          hazard.name,
          ratingLine(hazard.initial),
          riskText(hazard.initial),
          ratingLine(hazard.residual),
          riskText(hazard.residual),
          { lines: [[why(hazard)]] },
        ]),
      widths: [1.1, 2.2, 1.6, 1, 1.6, 1, 2.4],
      hasRowHeads: true,
    },
    ...(hazards.length > MAX_REPORT_ROWS
      ? [
          text(
            `The table has the first ${MAX_REPORT_ROWS} of ${hazards.length} hazards; every count of this report has all of them.`,
          ),
        ]
      : []),
    text(gap('the overall residual risk, and the risk-benefit analysis where 6.2 asks for one')),
  ];
}

/** What the log says of hazards and risks, in the order of the NHS report. */
export const riskSections = (input: ReportInput): WordBlock[] => [
  ...identification(input),
  ...analysisAndEvaluation(input),
  ...control(input),
  ...residual(input),
];
