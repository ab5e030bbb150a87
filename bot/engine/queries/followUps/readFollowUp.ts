import type { Nouns } from '../entity.ts';
import { allNouns } from '../nouns.ts';
import type { FollowUp, How } from './followUp.ts';

const MAX_WORDS = 24;
const LEADS = /^(?:and|ok|okay|so|then|right|thanks|great|good|hm+|but|please|cool|nice|now)(?= )/;
const ALSO = /^(?:also|plus)(?= )/;
const ABOUT = /^(?:what|how) about(?= )/;
const AND = /^(?:and|but)(?= )/;
const MANNERS =
  /^(?:(?:can|could|would|will) you (?:please )?|please |i (?:want|need|would like|'d like) (?:you )?to |let's |i (?:want|need) )/;
const TAIL = /(?: (?:please|thanks|thank you|then|now|instead|for me|again))+$/;
/** Words that a condition begins with, behind the noun of its rows. */
const CONDITION =
  /^(?:with|without|that|which|who|whose|having|have|has|are|is|not|no|owned|rated|above|below|over|under|between|at least|at most|more than|less than|fewer than|from|by)\b/;

/** The rows' own noun and words that point at rows, as the patterns below have them. No word has capitals. */
const ROWS = 'ROWS';
const POINTS =
  /(?<=^| )(?:(?:of|among|from|out of|in) )?(?:all (?:of )?)?(?:them|those|these|they)(?: ones| ROWS)?(?= |$)/g;

type Way = { says: RegExp; how: How; asks?: (found: RegExpExecArray) => string[] };

const WAYS: readonly Way[] = [
  {
    says: /^(?:how many|count|number of|total of)(?: of)?(?: THEM)?(?: is that| is it| are there| are THEM| in total| in all| altogether)*$/,
    how: 'narrow',
    asks: () => ['how many ROWS'],
  },
  {
    says: /^(?:SHOW )?(?:(?:other|opposite) (?:ones|ROWS)|others)$|^(?:which|what|who)(?: ones)? (?:are not|aren't|do not|don't|have not|haven't|is not|isn't)$|^(?:SHOW )?(?:ones|THEM) that (?:are not|aren't|do not|don't)$/,
    how: 'others',
  },
  { says: /^(?:SHOW )?(?:rest|remainder|more|remaining|next ones|remaining (?:ones|ROWS))(?: THEM)?$/, how: 'rest' },
  {
    says: /^(?:SHOW|which|who|what) (?:are |is )?THEM(?: all| called| exactly)?$|^which ones(?: exactly| are THEM)?$/,
    how: 'list',
  },
  {
    says: /^(?:sort |order |SHOW )?(?:IT )?(?:other way r?a?round|(?:in )?(?:reversed?|opposite)(?: order| IT)?|in other (?:order|direction))$/,
    how: 'reverse',
  },
  {
    says: /^(?:sort|order|rank|arrange|prioriti[sz]e)(?: IT)? (?:by|in order of|on) (.+)$|^SHOW THEM (?:sorted |ordered |ranked )?by (.+)$|^(?:sorted|ordered|ranked|arranged) by (.+)$/,
    how: 'narrow',
    asks: ([, one, two, three]) => [`ROWS sorted by ${one ?? two ?? three}`],
  },
  {
    says: /^(?:group|split|break|count|divide)(?: IT)?(?: down| up)? (?:by|per|across|for each) (.+)$|^(?:grouped|split|broken down) by (.+)$|^how many (?:THEM )?(?:by|per|for each) (.+)$/,
    how: 'narrow',
    asks: ([, one, two, three]) => groupedBy(one ?? two ?? three),
  },
  {
    says: /^(which|who|what|how many|count|SHOW)(?: ones| are)? ?THEM (.+)$/,
    how: 'narrow',
    asks: ([, head = '', rest]) => [`${head} ROWS ${rest}`],
  },
  {
    says: /^(?:are|is|do|does|have|has|did) (?:any|some) THEM (.+)$/,
    how: 'narrow',
    asks: ([, rest]) => [`which ROWS ${rest}`, `which ROWS are ${rest}`],
  },
  {
    says: /^THEM (which|who|how many|SHOW)(?: ones)? (.+)$/,
    how: 'narrow',
    asks: ([, head, rest]) => [`${head} ROWS ${rest}`],
  },
  {
    says: /^(?:SHOW |keep |leave |want |need )?(?:only|just) (.+)$/,
    how: 'narrow',
    asks: ([, rest = '']) => asRows(rest),
  },
  {
    says: /^(?:filter|narrow|limit|restrict|reduce|cut|refine)(?: IT)?(?: down)? (?:to|by|on|for|where) (?:only )?(.+)$/,
    how: 'narrow',
    asks: ([, rest = '']) => asRows(rest),
  },
  {
    says: /^(?:without|not|except|excluding|exclude|drop|leave out|ignore|hide|skip|minus) (.+ ones|(?:ones|THEM) .+)$/,
    how: 'without',
    asks: ([, rest = '']) => asRows(rest),
  },
  {
    says: /^(?:SHOW )?first (\S+)(?: THEM| ones)?$/,
    how: 'narrow',
    asks: ([, number]) => [`first ${number} ROWS`],
  },
  {
    says: /^(?:SHOW )?(?:which|who)?(?: has| have)? ?((?:top|worst|highest|lowest|most|fewest) .+?) THEM(.*)$/,
    how: 'narrow',
    asks: ([, one, rest]) => [`ROWS with ${one}${rest}`, `${one} ROWS${rest}`],
  },
  { says: /^(?:include|including)(?: also)? (.+)$/, how: 'widen', asks: ([, rest = '']) => asRows(rest) },
  { says: /^(?:add )?(.+ ones) (?:too|as well)$/, how: 'widen', asks: ([, rest = '']) => asRows(rest) },
];
const SHOWS = /^(?:(?:show|list|give|see|name|find|display|print)(?: me)?|which are|what are)(?= |$)/;
const SHOWS_BEHIND = /(?<=^THEM )(?:show|list|find)(?= )/;
/** What may stand for the rows of an answer behind "sort". */
const IT = /(?<=^\w+ )(?:THEM|it|all|everything|this|list|result|results|rows|ROWS)(?= )|(?<= )(?:it|THEM)$/;

const groupedBy = (field = '') => [`ROWS per ${field}`, `ROWS by ${field}`];

/** A description of rows as questions that name them: "open ones" as "open rows". */
function asRows(text: string): string[] {
  if (/ ones$|^ones\b/.test(text)) return [text.replace(/\bones\b/, ROWS)];
  if (/^THEM\b/.test(text)) return [text.replace(/^THEM/, ROWS)];
  if (CONDITION.test(text)) return [`ROWS ${text}`, `ROWS that ${text}`];
  return [`${text} ROWS`, `ROWS ${text}`, `ROWS with ${text}`];
}

/** The words before what is asked, and what of them says how it goes on. */
function peel(line: string): { rest: string; isAnd: boolean; isAbout: boolean; isAlso: boolean } {
  const seen = { rest: line.replace(TAIL, ''), isAnd: false, isAbout: false, isAlso: false };
  for (let round = 0; round < 6; round += 1) {
    const { rest } = seen;
    seen.isAnd ||= AND.test(rest);
    seen.isAbout ||= ABOUT.test(rest);
    seen.isAlso ||= ALSO.test(rest);
    seen.rest = rest.replace(LEADS, '').replace(ALSO, '').replace(ABOUT, '').replace(MANNERS, '').trim();
    if (seen.rest === rest) break;
  }
  return seen;
}

/** The first way that a message fits. */
function fitWay(rest: string): Pick<FollowUp, 'how' | 'asked'> | null {
  const shown = rest.replace(SHOWS, 'SHOW').replace(SHOWS_BEHIND, 'SHOW');
  const lines = [...new Set([shown, rest, rest.replace(IT, 'IT')])];
  for (const { says, how, asks } of WAYS)
    for (const line of lines) {
      const found = says.exec(line);
      if (found) return { how, asked: asks?.(found) ?? [] };
    }
  return null;
}

/** What a message says that begins with "and" or "what about". */
function readLoosely({ rest, isAbout }: ReturnType<typeof peel>): Pick<FollowUp, 'how' | 'asked'> | null {
  const which = /^(which|who|how many)(?: ones)? (.+)$/.exec(rest);
  const names = rest.split(' ').includes(ROWS);
  if (which && !names) return { how: 'perhaps', asked: [`${which[1]} ROWS ${which[2]}`] };
  if (which || names) return null;
  const by = /^(?:by|per) (.+)$/.exec(rest);
  if (by) return { how: 'narrow', asked: groupedBy(by[1]) };
  if (CONDITION.test(rest) && !isAbout) return { how: 'narrow', asked: asRows(rest) };
  return { how: 'instead', asked: asRows(rest) };
}

/**
 * Reads a message that goes on from an answer about rows: "which of those are open", "sort them by risk", "the other
 * ones".
 * @param line its words in lower case, joined by spaces, without articles
 * @param nouns those of the rows of the earlier answer
 * @returns null where it says nothing about an earlier answer
 */
export function readFollowUp(line: string, nouns: Nouns): FollowUp | null {
  if (line.split(' ').length > MAX_WORDS) return null;
  const named = allNouns(nouns)
    .reduce((said, noun) => said.replaceAll(` ${noun} `, ` ${ROWS} `), ` ${line} `)
    .trim();
  const seen = peel(named);
  const rest = seen.rest.replace(POINTS, 'THEM');
  const isPointing = /\b(?:THEM|ones|others|rest)\b/.test(rest);
  const isOther = /\b(?:other|opposite|remaining)\b/.test(rest);
  // "Only closed pipes" is a question of its own.
  if (rest.split(' ').includes(ROWS) && !isPointing && !isOther) return null;
  const widened = seen.isAlso && isPointing ? { how: 'widen' as const, asked: asRows(rest) } : null;
  const loose = seen.isAnd || seen.isAbout ? readLoosely({ ...seen, rest }) : null;
  const read = fitWay(rest) ?? widened ?? loose;
  if (!read) return null;
  const asked = read.asked.map((one) =>
    one.replaceAll(ROWS, nouns.many).replaceAll('SHOW', 'show').replaceAll('THEM', nouns.many),
  );
  return { how: read.how, asked, isPointing };
}

/** The noun of another kind of row in "what about tickets?"; null where a message is no such question. */
export function readOtherKind(line: string): string | null {
  const { rest, isAnd, isAbout } = peel(line);
  const same = /^(?:same|do same|same thing|likewise) (?:for|with|of|on) (.+)$/.exec(rest)?.[1];
  const named = same ?? (isAbout || isAnd ? rest.replace(/^(?:for|in) /, '') : null);
  return named && named.split(' ').length <= 3 ? named : null;
}
