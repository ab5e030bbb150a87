import { NHS_MATRIX } from '../../bot/agents/clinical_safety/reading/riskMatrix.ts';
import type {
  AnalysisResult,
  Coverage,
  ExistingHazard,
  Finding,
  LogShape,
  TicketVerdict,
} from '../../models/contracts/clinical_safety/hazards.ts';
import type { PossibleMatch } from '../../models/contracts/clinical_safety/matches.ts';
import type { NewHazard } from '../../models/contracts/clinical_safety/proposals.ts';

const RATED = { severity: 'Major', likelihood: 'Low', risk: 3, expectedRisk: 3 };

/** A hazard without faults; fields that are not given have plausible values. */
export function makeHazard(more: Partial<ExistingHazard> = {}): ExistingHazard {
  return {
    id: 'H1',
    name: 'Wrong dose',
    description: 'The wrong dose is shown.',
    type: null,
    causes: [{ id: null, text: 'Unit lost', place: { sheet: 'Log', cell: 'E2' } }],
    clinicalImpact: 'Overdose',
    initial: RATED,
    residual: { severity: 'Major', likelihood: 'Very low', risk: 2, expectedRisk: 2 },
    controls: [
      {
        text: 'Check',
        kind: 'existing',
        owner: null,
        status: null,
        evidence: null,
        place: { sheet: 'Log', cell: 'F2' },
      },
    ],
    owner: 'Ada',
    status: 'Open',
    ticketKeys: [],
    kbIds: [],
    rows: { sheet: 'Log', first: 2, last: 2 },
    ...more,
  };
}

export function makeTicket(more: Partial<TicketVerdict> = {}): TicketVerdict {
  return {
    key: 'T-1',
    summary: 'Dose is wrong',
    relevance: 'relevant',
    score: 4.5,
    kbIds: [],
    hazardIds: [],
    coveredBy: null,
    quote: '',
    ...more,
  };
}

/** A hazard that may cover a ticket, with the words of both sides. */
export function makePossible(more: Partial<PossibleMatch> = {}): PossibleMatch {
  return {
    hazardId: 'H1',
    hazardName: 'Wrong dose',
    score: 4.2,
    ticketQuote: 'wrong dose',
    hazardQuote: 'The dose is lost',
    place: { sheet: 'Log', cell: 'C5' },
    hazardDigest: 'digest of H1',
    ...more,
  };
}

export function makeFinding(more: Partial<Finding> = {}): Finding {
  return {
    id: 'f1',
    rule: 'a-rule',
    level: 'fix',
    title: 'A fault',
    message: 'Something is wrong.',
    hazardId: null,
    places: [],
    found: null,
    expected: null,
    clause: null,
    ...more,
  };
}

export function makeProposal(more: Partial<NewHazard> = {}): NewHazard {
  return {
    id: 'p1',
    proposedId: 'H9',
    kbId: 'MED-02',
    category: 'Medicines',
    candidates: [{ kbId: 'MED-02', title: 'Dose', category: 'Medicines', score: 5 }],
    sure: true,
    values: {
      name: 'Proposed name',
      description: 'Proposed text',
      cause: '',
      clinicalImpact: 'Proposed impact',
      controlDesign: '',
      controlTest: '',
      controlTraining: '',
      controlBusiness: '',
    },
    suggested: { severity: 'Major', likelihood: 'Low', risk: 3 },
    evidence: [{ ticketKey: 'T-1', summary: 'Dose is wrong', quote: 'wrong dose' }],
    status: 'Proposed – CSO review',
    ...more,
  };
}

/** Builds an analysis result from its parts. */
export function makeResult({
  hazards = [makeHazard()],
  newHazards = [],
  findings = [],
  tickets = [],
  coverage = {},
  coverageScore = null,
  log = {},
}: {
  hazards?: ExistingHazard[];
  newHazards?: NewHazard[];
  findings?: Finding[];
  tickets?: TicketVerdict[];
  coverage?: Partial<Coverage>;
  coverageScore?: number | null;
  log?: Partial<LogShape>;
} = {}): AnalysisResult {
  return {
    existingHazards: hazards,
    newHazards,
    findings,
    tickets,
    analysisMetadata: {
      coverageScore,
      coverage: {
        covered: 0,
        possible: 0,
        none: 0,
        relevant: 0,
        unsure: 0,
        threshold: 3,
        relevanceThreshold: 4,
        unsureThreshold: 2,
        ...coverage,
      },
      jiraAnalysis: { ticketsAnalyzed: tickets.length, duplicates: 0, empty: 0, source: null },
      modelUsed: false,
      log: {
        fileName: 'log.xlsx',
        format: 'xlsx',
        sheet: 'Log',
        headerRows: [1],
        firstDataRow: 2,
        lastDataRow: hazards.length + 1,
        layout: 'wide',
        columns: [],
        unmatched: [],
        rowCount: hazards.length,
        matrix: NHS_MATRIX,
        versions: [],
        remarks: [],
        ...log,
      },
      standard: 'DCB0129 4.2',
      engineVersion: '1.0.0',
      logDigest: 'a',
      ticketsDigest: null,
    },
  };
}
