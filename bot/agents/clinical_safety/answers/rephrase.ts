/** Ways to ask, each with the plain words for the same. `of`: only where the question has this. */
const WAYS: readonly { asks: RegExp; as: string; of?: RegExp; notOf?: RegExp }[] = [
  // "Which risks does nobody own?" asks for hazards.
  {
    asks: /(?<!\b(?:initial|inherent|unmitigated|original|residual|final|mitigated|remaining|by|with) )\brisks(?= (?:do|does|are|have|has|with|without|that|which|whose|no|neither|nobody|owned|left at)\b)/,
    as: 'hazards',
    notOf: /\bhazards?\b|\brisks? (?:\w+ )?(?:went|go|came|come|fell|rose|dropped)\b/,
  },
  { asks: /\bhazards left at (?=\d)/, as: 'hazards with residual risk of ' },
  { asks: /\bbreak (.{1,80}?) down by\b/, as: '$1 by' },
  { asks: /\b(?:do |does )?each (?:person|owner) (?:owns?|has|have|holds?|looks? after)\b/, as: 'by owner' },
  { asks: /\b(\d+) exactly(?= |$)/, as: 'exactly $1' },
  {
    asks: /\brisk (?:is )?lower (?:after controls )?than (?:it was )?(?:before(?: controls)?|at start)(?= |$)/,
    as: 'risk went down',
  },
  {
    asks: /\brisk (?:is )?higher (?:after controls )?than (?:it was )?(?:before(?: controls)?|at start)(?= |$)/,
    as: 'risk went up',
  },
  { asks: /\bis risk went\b/, as: 'risk went' },
  { asks: /\bwent (down|up) in risk\b/, as: 'risk went $1' },
  // A status that is a negation itself.
  {
    asks: /\b(?:still )?(?:haven't|have not|hasn't|has not|aren't|are not|not)(?: yet)?(?: been)? started(?: yet)?\b/,
    as: 'not started',
    notOf: /\b(?:runs?|tasks?|jobs?|analyses|analysis)\b/,
  },
  // The highest of what the log rates is its risk.
  { asks: /(?:\b(?:are|is) )?\brated (highest|lowest)(?= |$)/, as: 'have $1 risk', of: /\bhazards?\b/ },
  {
    asks: /\brated (?:as |at )?(?=(?:(?:above|below|over|under|at least|at most|more than|less than) )?\d+(?: |$))/,
    as: 'with risk of ',
    of: /\bhazards\b/,
    notOf: /\b(?:risk|severity|likelihood|severities|likelihoods)\b/,
  },
  { asks: /\b(highest|lowest) rated hazards?\b/, as: 'hazards with $1 risk' },
  {
    asks: /^(?:(?:what|which|show|show me|list|give me|what's) )?(?:(?:are|is) )?(?:my )?(?:top|worst|biggest|most serious) (?:hazards?|risks?)(?: in (?:my )?log)?$/,
    as: 'hazards with highest risk',
  },
  { asks: /\b(top|worst) (\d+) (?:hazards|risks)$/, as: 'top $2 hazards by risk' },
  // Before a name, "with owner" says whose.
  { asks: /\bwith owner(?= (?:and|or|but)\b|$)/, as: 'that have owner' },
  // What is left of "by now".
  { asks: / by(?= (?:and|or|but)\b|$)/, as: '' },
  // What is done about a finding.
  { asks: /\b(?:to be|needs?|needs? to be|only needs?) (?:checked|checking)\b/, as: 'to check', of: /\bfindings?\b/ },
  { asks: /\b(?:to be|needs?|needs? to be|only needs?) (?:fixed|fixing)\b/, as: 'to fix', of: /\bfindings?\b/ },
  { asks: /\b(?:cite|cites|citing|refer to|refers to) clause\b/, as: 'have clause', of: /\bfindings?\b/ },
  // A match of a ticket is possible until a person decides on it.
  {
    asks: /\b(?:might|could|may) (?:match|belong to|be about|point to) (.{1,40}?) hazards?\b/,
    as: 'with $1 possible hazards',
    of: /\btickets?\b/,
  },
  {
    asks: /\b(?:that )?you could not place(?: as relevant or irrelevant)?(?= |$)/,
    as: 'that are unsure',
    of: /\btickets?\b/,
  },
  {
    asks: /\btickets? (?:that )?(?:might|could|may) (?:match|belong to|be about|point to)(?= \S*\d)/,
    as: 'possible matches of',
  },
];

/** A question in lower case in the words that are read. What is asked for stays the same. */
export const rephrase = (line: string): string =>
  WAYS.reduce(
    (said, { asks, as, of, notOf }) => ((of && !of.test(said)) || notOf?.test(said) ? said : said.replace(asks, as)),
    line,
  );
