import type { AnalysisResult, Finding, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { makeFinding, makePossible, makeProposal, makeResult, makeTicket } from '../../../factories/analysisResult.ts';
import { makeMadeUpHazards, SHEET } from './madeUpHazards.ts';

const finding = (rule: string, level: Finding['level'], clause: string | null, hazardId: string, cell: string) =>
  makeFinding({
    id: `${rule}:${hazardId}:${cell}`,
    rule,
    level,
    clause,
    hazardId,
    title: `${hazardId}: ${rule.replaceAll('-', ' ')}`,
    places: [{ sheet: SHEET, cell }],
  });

const FINDINGS = [
  finding('risk-differs-from-matrix', 'fix', '4.4.1', 'LR-125', 'G27'),
  finding('residual-above-initial', 'fix', '6.1.4', 'LR-110', 'L12'),
  finding('missing-likelihood', 'fix', '4.4.1', 'LR-124', 'F26'),
  finding('missing-risk', 'fix', '4.4.1', 'LR-124', 'G26'),
  finding('missing-residual', 'fix', '6.1.4', 'LR-109', 'L11'),
  finding('missing-residual', 'fix', '6.1.4', 'LR-119', 'L21'),
  finding('severity-lowered-without-design-control', 'check', '6.1.2', 'LR-115', 'J17'),
  finding('severity-lowered-without-design-control', 'check', '6.1.2', 'LR-121', 'J23'),
  finding('missing-cause', 'check', '4.3.1', 'LR-124', 'D26'),
  finding('no-controls', 'check', '6.1.1', 'LR-106', 'H8'),
  finding('missing-owner', 'check', null, 'LR-106', 'M8'),
  finding('missing-owner', 'check', null, 'LR-114', 'M16'),
  finding('missing-owner', 'check', null, 'LR-120', 'M22'),
  finding('missing-status', 'check', '6.4.1', 'LR-117', 'N19'),
  finding('missing-status', 'check', '6.4.1', 'LR-120', 'N22'),
];

const covered = (key: string, summary: string, ...hazardIds: string[]) =>
  makeTicket({ key, summary, hazardIds, coveredBy: 'link', quote: summary });
const possible = (key: string, summary: string, ...hazardIds: string[]) =>
  makeTicket({
    key,
    summary,
    possibleHazardIds: hazardIds,
    possible: hazardIds.map((hazardId) => makePossible({ hazardId, ticketQuote: summary })),
    quote: summary,
  });
const without = (key: string, summary: string, relevance: TicketVerdict['relevance'], score: number) =>
  makeTicket({ key, summary, relevance, score, quote: relevance === 'relevant' ? summary : '' });

const TICKETS = [
  covered('LT-201', 'Copied referral falls back to routine', 'LR-101'),
  covered('LT-205', 'Refused message of another practice is dropped', 'LR-103'),
  covered('LT-207', 'Two desks book one slot', 'LR-107'),
  makeTicket({
    key: 'LT-209',
    summary: 'Hospital can’t open TIFF scans',
    hazardIds: ['LR-111', 'LR-122'],
    coveredBy: 'person',
  }),
  covered('LT-211', 'Adult questions for a boy of 15', 'LR-113'),
  covered('LT-212', 'Reminder text names the sexual health clinic', 'LR-116'),
  possible('LT-214', 'Urgent flag is dropped on forwarding', 'LR-101'),
  possible('LT-215', 'Transfer resets the waiting time', 'LR-110', 'LR-115'),
  possible('LT-216', 'Rejection mail goes to nobody', 'LR-117'),
  without('LT-217', 'Advice and guidance reply is shown to the wrong practice', 'relevant', 4.6),
  without('LT-218', 'Video link opens another patient’s waiting room', 'relevant', 5.1),
  without('LT-219', 'Second opinion is filed without its date', 'relevant', 4.1),
  without('LT-220', 'Search feels slow in the afternoon', 'unsure', 2.8),
  without('LT-221', 'Wording of the consent page', 'unsure', 2.2),
  without('LT-222', 'Upgrade the build server', 'not', 0.4),
  without('LT-223', 'Rename the settings folder', 'not', 0.2),
];

const proposal = (
  at: number,
  name: string,
  category: string,
  sure: boolean,
  risk: number,
  ...keys: string[]
): NewHazard =>
  makeProposal({
    id: `proposal-${at}`,
    proposedId: `LR-${at}`,
    category,
    sure,
    values: { ...makeProposal().values, name },
    suggested: { severity: 'Major', likelihood: 'Low', risk },
    evidence: keys.map((ticketKey) => ({ ticketKey, summary: ticketKey, quote: ticketKey })),
  });

const PROPOSALS = [
  proposal(126, 'Advice reaches the wrong practice', 'Interoperability', true, 3, 'LT-217'),
  proposal(127, 'Remote visit joins the wrong patients', 'Patient identity', true, 4, 'LT-218'),
  proposal(128, 'Information lacks its date', 'Display', false, 2, 'LT-219', 'LT-216'),
  proposal(129, 'Priority is lost on the way', 'Workflow', false, 3, 'LT-214', 'LT-215', 'LT-216'),
];

const COUNTS = { covered: 6, possible: 3, none: 3, relevant: 12, unsure: 2, unproposed: 0 };

/** The result of a made-up log of a referral and triage product: 25 hazards, 16 tickets, 4 proposals, 15 findings. */
export const makeMadeUpWorld = (): AnalysisResult =>
  makeResult({
    hazards: makeMadeUpHazards(),
    newHazards: PROPOSALS,
    findings: FINDINGS,
    tickets: TICKETS,
    coverage: COUNTS,
    coverageScore: 50,
    log: {
      fileName: 'Larkfield referrals risk register.xlsx',
      sheet: SHEET,
      headerRows: [2],
      firstDataRow: 3,
      lastDataRow: 27,
      matrix: {
        source: 'numeric',
        basis: 'consistent',
        name: 'severity × likelihood, 1 to 25',
        place: null,
        severities: ['1', '2', '3', '4', '5'],
        likelihoods: ['1', '2', '3', '4', '5'],
        cells: [1, 2, 3, 4, 5].map((likelihood) => [1, 2, 3, 4, 5].map((severity) => severity * likelihood)),
      },
    },
  });
