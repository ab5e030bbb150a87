import type { AgentId } from '../../models/contracts/catalogueAgent.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import type { Browser } from '../factories/httpPerson.ts';

/** A question as the inbox shows it, as far as answers need it. */
type Asked = Pick<Interrupt, 'view'>;
type Answer = (asked: Asked) => object;

const approve: Answer = () => ({ approved: true });
const keep: Answer = () => ({ userResponse: { choice: 'approve' } });
const write =
  (userInput: string): Answer =>
  () => ({ userInput });
const approveRows: Answer = ({ view }) => ({
  userResponse: { rows: (view.rows?.rows ?? []).map(({ id }) => ({ id, outcome: 'accepted' })) },
});
const skipPoints: Answer = ({ view }) => ({
  userResponse: { choices: Object.fromEntries(view.fields.map(({ name }) => [name, 'unknown'])) },
});

/** A piece of an agent's work, from the request to its end. */
export type Work = {
  agentId: AgentId;
  /** What starts it, with the agent's name. */
  asks: string;
  /** Answers to its questions, in their order. */
  answers: readonly Answer[];
  /** The beginning of its last message in Slack. */
  ends: string;
  /** Names of all files that it gives, sorted. */
  files: readonly string[];
  /** Steps that are paid, each at the price of a step. */
  steps: number;
  /** The action and prompt that schedule it, and how that run stands when nobody answers. */
  scheduled: { action: string; prompt: string; status: 'completed' | 'waiting' };
};

/** Work of each agent on the built-in engine, with the documents of {@link addDocuments}. */
export const WORKS: readonly Work[] = [
  {
    ...{ agentId: 'ops', asks: '@Opal write an SOP from Night round.md', answers: [], steps: 2 },
    ends: '*Night round*: a procedure, a checklist and a risk register',
    files: ['Night round, SOP draft.docx', 'Night round, checklist and risks.xlsx'],
    scheduled: { action: 'operating_procedure', prompt: 'Write an SOP from Night round.md', status: 'completed' },
  },
  {
    ...{ agentId: 'researcher', asks: '@Rhea write a brief about liability', answers: [], steps: 1 },
    ends: '*liability*',
    files: ['liability, brief.docx'],
    scheduled: { action: 'research_brief', prompt: 'liability', status: 'completed' },
  },
  {
    ...{ agentId: 'professionaliser', asks: '@Petra bring Night round.md into controlled form', steps: 2 },
    answers: [approve],
    ends: 'Saved as a draft in your company’s documents: Night round, controlled draft.docx.',
    files: ['Night round, controlled draft.docx'],
    scheduled: { action: 'document_control', prompt: 'Bring Night round.md into controlled form', status: 'completed' },
  },
  {
    ...{ agentId: 'marketer', asks: '@Mina write copy from Product.md', steps: 2 },
    answers: [write('ward nurses'), approve],
    ends: 'The copy of Quillmere is final, approved by Ada.',
    files: [
      ...['Quillmere, copy draft.docx', 'Quillmere, copy draft.txt'],
      ...['Quillmere, copy final.docx', 'Quillmere, copy final.txt'],
    ],
    scheduled: { action: 'product_copy', prompt: 'Write copy from Product.md', status: 'completed' },
  },
  {
    ...{ agentId: 'outreach', asks: '@Otis draft outreach from Prospects.csv', steps: 2 },
    answers: [write('We show which dose is due.'), write('May I show it?'), write('Ada, Quillmere'), approveRows],
    ends: '2 drafts approved, 0 rejected. Nothing was sent.',
    files: [],
    scheduled: {
      action: 'outreach_drafts',
      prompt: 'Draft outreach from Prospects.csv\nOffer: We show doses.\nAsk: May I show it?\nFrom: Ada',
      // A list is not drafted again while it has not changed.
      status: 'completed',
    },
  },
  {
    ...{ agentId: 'designer', asks: '@Dara design a screen for nurses to record pulse', steps: 4 },
    answers: [approve, approve, () => ({ selectedOption: 'Clinic blue' }), keep],
    ends: '“Record pulse” is saved with its prototype and frames',
    files: ['Record pulse, frames.zip', 'Record pulse, prototype.html'],
    scheduled: { action: 'screen_design', prompt: 'A screen for nurses to record pulse', status: 'waiting' },
  },
  {
    ...{ agentId: 'developer', asks: '@Devon build a kanban board for ward tasks', steps: 2 },
    answers: [approve, keep],
    ends: '“Ward tasks” is kept with its page, its test and its archive',
    files: ['Ward tasks.zip'],
    scheduled: { action: 'app_build', prompt: 'A kanban board for ward tasks', status: 'waiting' },
  },
  {
    ...{ agentId: 'mdr', asks: '@Marta write the technical file', steps: 3 },
    answers: [
      write('Name: Quillmere\nIntended purpose: Shows which dose is due.'),
      ...[skipPoints, skipPoints, skipPoints],
    ],
    ends: 'Draft of the technical file of Quillmere',
    files: [],
    scheduled: { action: 'mdr_technical_file', prompt: '', status: 'completed' },
  },
  {
    ...{ agentId: 'clinical_safety', asks: '@Clara write the compliance sheet', answers: [], steps: 1 },
    ends: 'Here is the DCB0129 compliance sheet',
    files: ['DCB0129 compliance (draft), Quillmere e-prescribing hazard log v2.3.xlsx'],
    scheduled: { action: 'dcb0129_compliance', prompt: '', status: 'completed' },
  },
];

const DOCUMENTS = {
  'Night round.md':
    '# Night round\n\n1. The guard tries each door at 22:00.\n2. Switch off the lights.\n3. If a door is open, the guard calls the owner within 5 minutes.',
  'Contract.md':
    '# Contract\n\nThe liability of the supplier ends after two years. The supplier answers within 4 hours.',
  'Prospects.csv':
    'Name,Company,Role,E-mail\nIda Holt,Quillmere,Head of safety,ida@quillmere.example\nBo Lind,Fernhill,CTO,bo@fernhill.example\n',
  'Product.md':
    '# Quillmere\n\nQuillmere is for ward nurses. It shows which dose is due. It keeps a record of each dose. A trial with 42 wards took 12 weeks.',
} as const;

/** Adds the documents that the works are about to a company. */
export async function addDocuments(browser: Browser): Promise<void> {
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    const form = new FormData();
    form.append('document', new Blob([text]), name);
    await browser.post('/api/documents', form);
  }
}
