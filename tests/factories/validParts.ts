/** A valid value for each named part of a body, so that only the part under test is wrong. */
export const VALID_PARTS = {
  prompt: 'help',
  message: 'help',
  goal: 'help',
  objective: 'help',
  approved: true,
  rows: [],
  version: 0,
  enabled: true,
  action: 'continue',
  admits: 'workspace',
  interruptId: 1,
  isTakenBack: true,
  feedback: { value: 'good' },
  title: 'Mine',
  spokenTo: 'clinical_safety',
  asks: true,
  userAgentIds: [],
  name: 'find',
  digest: '0'.repeat(64),
  findingId: 'f'.repeat(64),
  change: { reopen: true },
  text: 'Why?',
  isOn: true,
};

/** The same for the named parts of a query. */
export const VALID_QUERY = { hazard: 'H-1', row: 1 };
