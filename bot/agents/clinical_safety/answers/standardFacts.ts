import { ENGINE_VERSION, STANDARD } from '../engineVersion.ts';
import type { Intent } from './intent.ts';

/** Refuses questions that ask for a verdict. */
export const VERDICT: { asks: RegExp; says: string } = {
  asks: /\b(?:is|are) (?:it|this|our|my|the|we)\b.*\b(?:safe|compliant|approved|acceptable)\b|^(?:is|are)\b.{0,80}\b(?:safe|compliant|acceptable|unacceptable|tolerable)\b|\bdo we comply\b|\bpass (?:the )?audit\b|\b(?:mhra|nhs england|nhs digital|notified body|regulators?|auditors?|cqc|fda|bsi)\b.{0,60}\b(?:accept|approve|agree|pass|allow|certif)\w*|^(?:(?:so|and|then|now),? )?(?:do|will|would|did|can|could|may|shall|should|are|am) (?:we|i|it|this|our \w+)\b.{0,20}\b(?:pass|comply|meet (?:the|dcb)|fulfil|satisfy|get (?:certified|approved)|sign|go live|launch|release)\b|\bcertify (?:us|it|this|me|our)\b|\b(?:product|app|system|software|it) is (?:safe|compliant)\b/i,
  says: 'I can’t say that, and no tool should. Whether the risks are acceptable and the standard is met is for your Clinical Safety Officer to decide. What I can do is show what the log says, where it contradicts its own rules, and what the tickets point to. Ask for “findings” or “coverage”.',
};

/**
 * Answers that do not depend on a log: the standard, the terms of the matrix, and how to use Arc. The first match wins.
 */
export const STANDARD_FACTS: { intent: Intent; asks: RegExp; says: string }[] = [
  {
    intent: 'rules',
    asks: /\bseverit(?:y|ies)\b.*\b(?:mean|meaning|definition|defined|words|scale|levels?)\b|\bwhat (?:is|does) (?:catastrophic|major|considerable|significant|minor)\b|\b(?:define|definition of|meaning of) severity\b/i,
    says: 'Severity is the worst harm that applies, and the number of patients counts (DCB0129 4.2):\n• Catastrophic: death, or permanent life-changing incapacity, of several patients.\n• Major: the same for one patient; or severe injury or severe psychological trauma, with recovery expected, of several.\n• Considerable: severe injury with recovery expected, or severe psychological trauma, of one; or lasting minor injury or significant trauma of several.\n• Significant: lasting minor injury or significant trauma of one; or passing minor injury, upset or inconvenience of several.\n• Minor: passing minor injury, upset or inconvenience of one patient.',
  },
  {
    intent: 'rules',
    asks: /\blikelihoods?\b.*\b(?:mean|meaning|definition|defined|words|scale|levels?)\b|\b(?:define|definition of|meaning of) likelihood\b/i,
    says: 'Likelihood is that of the harm to a patient with the controls considered, not that of the fault alone (DCB0129 4.2):\n• Very high: certain or almost certain.\n• High: not certain but very possible, expected in most cases.\n• Medium: possible.\n• Low: could happen but mostly will not.\n• Very low: negligible or nearly so.',
  },
  {
    intent: 'rules',
    asks: /\b(?:accept(?:able|ability)|risk (?:levels?|scores?)|what does (?:a )?risk (?:of )?[1-5])\b/i,
    says: 'Levels of risk (DCB0129 4.2):\n• 5: unacceptable.\n• 4: must be eliminated or controlled to an acceptable level.\n• 3: undesirable; try to reduce it, acceptable only where further reduction is impractical.\n• 2: acceptable where the cost of further reduction outweighs the benefit.\n• 1: acceptable, no further action.',
  },
  {
    intent: 'access',
    asks: /\bwho (?:can|may|must|should|has to) (?:sign|approve|be|set|decide|rate|accept)|\bwho (?:signs?|approves?)\b|\b(?:approve|sign off|signature|sign the)\b/i,
    says: 'A Clinical Safety Officer: a clinician with a current professional registration, trained in risk management. They approve each version of the hazard log (DCB0129 3.3.2) and each safety case report (3.5.2). I draft and flag; I never approve, and I never set a severity, likelihood or status.',
  },
  {
    intent: 'clause',
    asks: /\bDCB ?0160\b|\bdeploy(?:ing|ment) organisation\b/i,
    says: 'DCB0160 is the standard for the organisation that deploys and uses the system; DCB0129 is for its manufacturer. The deploying organisation keeps its own Clinical Safety Officer, hazard log and safety case; controls that the manufacturer transfers become its inputs.',
  },
  {
    intent: 'clause',
    asks: /\bDCB ?0129\b|\bwhich standard\b|\bwhat standard\b/i,
    says: `I work to ${STANDARD}, for manufacturers of health IT, and check the hazard log by its clauses (engine ${ENGINE_VERSION}). NHS England has been reviewing the standard, so clause numbers may change; each result carries the version that it was made with.`,
  },
  {
    intent: 'clause',
    asks: /\b(?:CSCR|safety case(?: report)?)\b/i,
    says: 'A safety case report (CSCR) sets out why the system is thought safe for its use: scope, team, analysis, controls, the hazard log’s summary, test issues, transferred controls and the Clinical Safety Officer’s statement. Its numbers must agree with the log that it goes with (DCB0129 3.3.3).',
  },
  {
    intent: 'files',
    asks: /\bhow (?:do|can|would) (?:i|we)\b.*\b(?:upload|add|give|send|import)\b|\bwhat files?\b|\bwhich formats?\b/i,
    says: 'Drop the file into the chat, or use the paper clip. A hazard log may be .xlsx, .xlsm, .xls, .docx, CSV or Markdown; a ticket export CSV or Excel (a key, a summary and, better, a description). The order does not matter, and the analysis also runs without tickets.',
  },
  {
    intent: 'help',
    asks: /\bhow (?:do|can|would) (?:i|we)\b.*\b(?:review|accept|reject|edit|decide)\b/i,
    says: 'Open the review from the bell or in the chat. Accept, edit or reject each proposal, or all at once. A rejected one needs a reason where your account asks for it. Nothing is written into the log before that.',
  },
  {
    intent: 'help',
    asks: /\bhow (?:do|can|would) (?:i|we)\b.*\b(?:merge|write|save)\b|\bwhat does merg(?:e|ing) do\b/i,
    says: 'After the review choose “Merge new lines into Hazard Log”. The accepted hazards are added under the last row in your own columns and style, with the next free ids and the status “Proposed – CSO review”; a sheet called Change log says what came from where. Severity, likelihood and risk stay blank for the Clinical Safety Officer. The message after the merge says what else changed in the workbook, for example rows below the log that moved down.',
  },
  {
    intent: 'export',
    asks: /\bhow (?:do|can|would) (?:i|we)\b.*\b(?:export|download)\b/i,
    says: 'Choose “Download New Hazards” for a workbook of the proposals with their evidence. The verdict on every ticket can be exported as CSV or Excel.',
  },
  {
    intent: 'identity',
    asks: /\b(?:did you|do you)\b.*\b(?:AI|language model|LLM|GPT)\b/i,
    says: 'The figures, findings and matches come from rules and from counting words, the same at every run. Each result says whether a language model was used for wording and which one.',
  },
];
