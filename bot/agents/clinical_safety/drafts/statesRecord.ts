/** Words that rate a risk, or give a record's status or approval. */
const RATING =
  /\b(?:severity|likelihood|(?:initial|residual|low|medium|moderate|high|acceptable|tolerable) risk|risk (?:score|rating|level|class|accepted|is (?:low|medium|high|acceptable|tolerable))|rated|signed off)\b|\b(?:risk|rating|status)\s*[:=]/i;
/** Words that say that a control is there, or that the matter is settled. */
const CONTROL =
  /\b(?:existing|current) (?:control|mitigation|safeguard)s?\b|\b(?:control|mitigation|safeguard)s? (?:is|are|already|exists?|in place)\b|\b(?:controls?|mitigations?)\s*[:=]|\b(?:mitigated|controlled) by\b|\b(?:already|been|is|was) (?:mitigated|closed|accepted|approved)\b/i;

/** Whether a text states what only people record: a rating, a status, an approval, or that a control exists. */
export const statesRecord = (text: string): boolean => RATING.test(text) || CONTROL.test(text);
