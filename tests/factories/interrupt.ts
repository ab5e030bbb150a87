import { Types } from 'mongoose';
import type { NewHazard } from '../../models/contracts/clinical_safety/hazards.ts';
import type { InterruptRow } from '../../models/interrupt.ts';

/** A proposed hazard. */
export function makeProposal(overrides: Partial<NewHazard> = {}): NewHazard {
  return {
    id: 'p1',
    proposedId: 'H1',
    kbId: 'MED-02',
    category: 'Medicines',
    candidates: [{ kbId: 'MED-02', title: 'Wrong dose', category: 'Medicines', score: 3 }],
    sure: true,
    values: {
      name: 'Wrong dose shown',
      description: 'The dose on the screen is not the dose that was prescribed.',
      cause: 'Unit conversion',
      clinicalImpact: 'Over- or under-dose',
      controlDesign: 'Show the unit',
      controlTest: 'Conversion tests',
      controlTraining: '',
      controlBusiness: '',
    },
    suggested: { severity: 'Major', likelihood: 'Medium', risk: 3 },
    evidence: [{ ticketKey: 'EX-1', summary: 'Dose in the wrong unit', quote: 'Dose in the wrong unit' }],
    status: 'Proposed – CSO review',
    ...overrides,
  };
}

/** A question that waits. */
export function makeInterrupt(overrides: Partial<InterruptRow> = {}): InterruptRow {
  return {
    _id: 1,
    accountId: 1,
    userAgentId: 1,
    agentId: 'clinical_safety',
    agentName: 'Clara',
    runId: new Types.ObjectId(),
    conversationId: null,
    askKey: 'run:step:0',
    interruptType: 'approval',
    status: 'pending',
    prompt: 'Shall I?',
    options: [],
    context: {},
    shownDigest: 'digest',
    draft: null,
    userResponse: null,
    answerDigest: null,
    resolution: null,
    outbox: [],
    createdAt: new Date(),
    resolvedAt: null,
    ...overrides,
  };
}
