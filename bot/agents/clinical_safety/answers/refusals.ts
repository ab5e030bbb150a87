/** A request that is refused even where it names a hazard. The first match wins. */
type Refusal = { intent: 'change' | 'why' | 'rules' | 'access'; asks: RegExp; says: string };

/** "Change the severity of NRL01", "set QM-04 to closed", "close hazard 12". */
const CHANGES =
  /^(?:(?:please|can you|could you|will you|would you|clara|i want to|i would like to|let us|we need to)[,\s]+){0,3}(?:(?:change|set|update|edit|raise|lower|reduce|increase|decrease|make|mark|rate|re-?rate|assign|correct)\b.{0,80}\b(?:severit(?:y|ies)|likelihoods?|risks?|ratings?|scores?|status(?:es)?|owners?|catastrophic|major|minor|open|closed|high|low|medium|[A-Z]{1,8}-?\d{1,6}|hazards?)\b|(?:close|re-?open|approve|sign off|transfer)\b.{0,60}\b(?:hazards?|[A-Z]{1,8}-?\d{1,6}|them|it|all|log)\b)/i;
const NEVER_RATE =
  'I never set or change a severity, a likelihood, a risk or a status; nothing was changed. Your Clinical Safety Officer does that:\n• In the workbook itself: change the row, save it as a new version, and drop it in here.\n• Then say “analyse my hazard log”: I check the new rating against the matrix.\n• Ask for the hazard by its id to see how it stands now.';

/** "LR-12 should be closed", "the owner of LR-12 must be Bo": a statement that is meant as a change. */
const STATED =
  /^(?!.*\?)(?!(?:which|what|how|who|why|list|show|find)\b).*\b(?:should|must|needs? to|ought to|has to) (?:be|have|get|read|say)\b.{0,60}\b(?:severit(?:y|ies)|likelihoods?|risks?|ratings?|status|owner|closed|open|mitigated|accepted|low|high|\d)\b/i;
/** "LR-12 is closed. Confirm". */
const CONFIRM = /\b(?:is|are) (?:now )?(?:closed|open|mitigated|accepted|approved|safe)\b.{0,20}\bconfirm\b/i;
const CHANGES_ROW =
  /^(?:please\s+)?(?:downgrade|upgrade|re-?assign|rename|remove|delete|drop|erase|close|accept|reject|mark|set|change|update)\b.{0,60}\b[A-Z]{1,8}-?\d{1,6}\b/i;

/** "Add a control to LR-12", "move LR-12 over to Bo", "put LR-12 down as closed". */
const CHANGES_CONTENT =
  /^(?:(?:please|can you|could you|will you|would you|clara|hi|hello|hey|ok|i want (?:you )?to|i'd like to|i would like to|let's|let us|we need to|we should|now)[,\s]+){0,4}(?:add|append|attach|insert|move|put|shift|hand|switch|swap|pass|link|unlink|split|combine|duplicate|copy|bump|transfer|re-?assign|allocate|give (?!me|us)|make|mark|tick|flag|record|log|enter|rename|rewrite|reword|amend|fix|take)\b.{0,80}\b[A-Z]{1,8}-?\d{1,6}\b/i;

const SENTENCE = /[.!?;:\n]+\s*|,\s+|(?<!\s)\s+and\s+/i;
const MAX_SENTENCES = 12;

/** Whether a text asks to change the log, in any of its sentences. */
export function asksForChange(text: string): boolean {
  if (CHANGES_CONTENT.test(text)) return true;
  if (CHANGES.test(text) || CHANGES_ROW.test(text) || STATED.test(text) || CONFIRM.test(text)) return true;
  return text
    .split(SENTENCE)
    .slice(1, MAX_SENTENCES)
    .some((part) => CHANGES.test(part.trim()) || CHANGES_ROW.test(part.trim()));
}

export const CHANGE_REFUSED = NEVER_RATE;

/** Why a hazard is as it is, where the question names none. */
export const WHY =
  /\bhow come\b|[,.;!]\s+(?:so |but |and )?why (?:is|are|was|were|did|does|do|has|have|would)\b|^(?:and |so |but |hi |hello |hey |clara |please |tell me |explain |do you know |any idea |can you tell me |could you tell me ){0,3}why\b|\bwhat made you\b|\bwhat(?:'s|’s| is| was) (?:the )?(?:reason|rationale|thinking|basis|justification|logic)\b|^(?:why|how come|for what reason|on what (?:basis|grounds)|justify|explain why)\b|\b(?:reason(?:ing)?|rationale|justification)\b.{0,30}\b(?:for|of|behind|why)\b/i;
export const WHY_REFUSED =
  'I don’t know why: the log holds what was decided, and reasons only where somebody wrote them down. I don’t guess.\n• Ask for the hazard by its id to see its ratings, controls and findings.\n• Look in the log’s own rationale or notes column.\n• Ask the owner of the row, or your Clinical Safety Officer.';

export const REFUSALS: readonly Refusal[] = [
  {
    intent: 'rules',
    asks: /\bwhat (?:(?:initial|residual) )?(?:severity|likelihood|risk|rating|score)\b.{0,20}\b(?:would|should|do|could|can|must) (?:you|i|we|it|a|the)\b|\b(?:how|what) (?:would|should|do|could) (?:you|i|we) (?:rate|score|grade|assess|classify)\b/i,
    says: NEVER_RATE,
  },
  {
    intent: 'rules',
    asks: /\b(?:ce|ukca)[ -]?mark\w*|\b(?:am i|are we|is (?:he|she|anyone|anybody|somebody)|can (?:i|we)|may (?:i|we)) (?:allowed|permitted|ok|able|free)?\s?(?:to )?(?:sign|go live|skip|release|ship|launch|ignore|leave out|do without)\b|\bdo (?:we|i) (?:(?:really|even|still) )?(?:need|have) to (?:register|comply|certify|notify|have a (?:cso|clinical safety officer))\b|\b(?:can|do) we (?:go live|release|ship)\b/i,
    says: 'I can’t decide that, and no tool should: what the law and the standard ask of you, and whether you may release, is for your Clinical Safety Officer and your regulatory lead. What I can do is show what the log says and what a clause asks. Ask for “findings”, or for a clause such as “DCB0129 7.1”.',
  },
  {
    intent: 'change',
    asks: /^(?:please |can you |could you )?(?:remove|delete|clear|drop|forget|erase|discard)\b.{0,60}\b(?:tickets?|logs?|hazards?|files?|uploads?|data|analys[ei]s|proposals?|history|them|it|everything)\b/i,
    says: 'I can’t remove that by chat, and nothing was removed.\n• To use other tickets or another log, drop the new file in: it replaces the earlier one.\n• A proposal is rejected in its review.\n• Files are deleted automatically after 90 days; an owner can have an account erased.',
  },
  {
    intent: 'rules',
    asks: /\brule\s*11\b|\b(?:what|which) (?:device )?class\b|\bclass (?:i|ii|iia|iib|iii)\b|\b(?:mdr|mdcg|medical device)\b.{0,60}\?/i,
    says: 'I can’t classify a device: the class under Rule 11 follows from the intended purpose, and a regulatory lead has to decide it. The device regulation agent is in preparation.\n• Write the intended purpose in one paragraph.\n• Take it to your regulatory lead with MDCG 2019-11.\n• Ask me about the hazard log in the meantime.',
  },
];
