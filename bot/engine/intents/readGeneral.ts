import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { GeneralIntent } from './generalIntent.ts';
import { MORE_PATTERNS } from './morePatterns.ts';
import { findOtherAgent } from './otherAgents.ts';
import { isSmallTalk } from './smallTalk.ts';

export type { GeneralIntent } from './generalIntent.ts';

const NAMES = AGENTS.map(({ displayName }) => displayName.toLowerCase());
/** Greetings and courtesy before a request. */
const POLITE =
  /^(?:(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|ok|okay|so|right|well|please|pls|sorry|now|and|then|also|quick question|could you|can you|would you|will you|can we|could we|i want to|i would like to|i'd like to|i need to|we need to|we want to|let's|let us|kindly|help!+)[\s,.:;!-]+)+/;
const ENDS = /[\s,]*(?:please|pls|thanks|thank you|cheers)?[\s.?!]*$/;

/** A text as the patterns read it: in lower case, straight quotes, without courtesy and names of agents around it. */
function plain(text: string): string {
  const line = text.trim().toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').slice(0, 400);
  const named = NAMES.reduce(
    (rest, name) =>
      rest.startsWith(`@${name}`) || rest.startsWith(name) ? rest.slice(rest.indexOf(name) + name.length) : rest,
    line.replace(POLITE, ''),
  );
  return named
    .replace(/^[\s,:!.-]+/, '')
    .replace(POLITE, '')
    .replace(ENDS, '');
}

/** Patterns over {@link plain} text; the first that fits wins. They hold no text from outside. */
const PATTERNS: readonly [GeneralIntent, RegExp][] = [
  ...MORE_PATTERNS,
  [
    'identity',
    /\b(?:are|r) (?:you|u) (?:really |actually |just |some (?:kind|sort) of |an? |the )*(?:ai|a\.i\.|bot|chatbot|robot|human|person|real|machine|computer|program|llm|language model|gpt\S*|chatgpt|claude|copilot|gemini|alive)\b|\b(?:talking|chatting|speaking|writing|typing) (?:to|with) an? (?:real |actual |live )?(?:human|person|bot|robot|machine|ai|computer)\b|\b(?:what|which) (?:language |ai )*(?:model|llm|ai)\b(?=.*\b(?:you|this|arc)\b)|^what(?:'s| is|s) (?:your|ur) name\b|^(?:who|what) (?:are|r) (?:you|u)(?: exactly)?$|\bwho (?:made|built|created|programmed|trained|wrote) (?:you|arc)\b|\bis (?:there|this|that) (?:a |an )?(?:real |actual |live )?(?:person|human|bot|robot|someone|ai|chatbot)\b|\b(?:do|did|does) (?:you|arc|this) (?:use|run on)\b.{0,40}\b(?:ai|llm|gpt\S*|chatgpt|openai|claude|language models?)\b/,
  ],
  [
    'access',
    /\bwho (?:else )?(?:can|could|may|is able to|has|have|is allowed to|are allowed to|gets to)\b.{0,40}\b(?:see|sees|read|view|access|look at|download|open)\b|\bwho (?:else )?(?:in|at|from|outside)\b.{0,30}\b(?:sees?|reads?|views?|access)\b|\bwho (?:else )?(?:sees|reads)\b|\b(?:data(?! (?:lead|manager|owner|team|entry)\b)|information|logs?|files?|chats?|messages?|conversations?|type|typed|write|uploads?)\b.{0,50}\b(?:train\w*|stored|kept|hosted|leaves?|safe|secure|encrypted|private|confidential|shared|gdpr|visible|deleted)\b|\b(?:train\w*|store|keep|host|share|sell|send|encrypt)\b.{0,40}\b(?:our|my|the|any) (?:own )?(?:data|information|logs?|files?|chats?|messages?|conversations?|stuff)\b|\bgdpr\b|\bdata protection\b|\bprivacy\b|\bprivate\b.{0,20}\?|\b(?:send|share|pass|give)\b.{0,40}\bto (?:openai|microsoft|google|anthropic|third parties|anyone else|other companies)\b|\bdelete\b.{0,20}\b(?:account|data)\b|\b(?:invite|add|give access to|remove)\b.{0,20}\b(?:colleagues?|team ?mates?|co-?workers?|users?|members?|someone|somebody)\b|\bgive\b.{0,30}\baccess\b|\b(?:people|anyone|anybody|somebody|someone|others|colleagues?|strangers|staff)\b.{0,40}\b(?:read|see|access|open|answer)\b.{0,30}\b(?:this|my|our|your)\b|\b(?:system|initial|hidden) (?:prompt|instructions|message)\b|\b(?:another|other|different) (?:customer|compan(?:y|ies)|client|account|organisation|trust)'?s?\b|\bpasswords?\b/,
  ],
  [
    'status',
    /^(?:(?:is |are )?(?:there )?)?(?:anything|something|what(?:'s| is|s| are)?|what else)(?: still| currently| now)? (?:is )?(?:waiting|running|outstanding|pending|left|going on|in progress|open|to do|happening|planned|scheduled)(?: for (?:me|us))?(?: right| to do| at the moment| now| today)*$|^what(?:'s| is|s)? (?:the )?(?:next|status|state|progress|latest)(?: steps?)?(?: of (?:things|play|the (?:analysis|review|run)))?$|\bwhat (?:should|do|can|shall|must) (?:i|we) do (?:next|now|first)\b|^next steps?$|^(?:any )?(?:news|updates?|progress)(?: yet| so far)?$|^(?:status|progress)$|^where (?:are|r) we\b|^where (?:have|did) we got? to\b|^where have we got(?:ten)? to\b|^how far (?:are|have|did) (?:you|we)\b|^(?:have you|are you|is it|has it|did you|is (?:the|my) (?:analysis|review|run|merge)|has the (?:analysis|review|run|merge))\b.{0,20}\b(?:done|finished|finish|ready|completed?|over|still (?:running|going))\b|^what are you (?:doing|working on|up to)\b|^are you (?:busy|working|still)\b|^what (?:needs|is waiting for) my (?:attention|decision|input|answer)\b|^do you need anything\b|^anything (?:for me|else i (?:should|need))\b/,
  ],
  [
    'undo',
    /^(?!(?:which|what|how many|list|show|find)\b).*\b(?:undo|undone|un-?do|revert|roll ?back|reverse|restore|take (?:it |that |this )?back|take back|put (?:it|that|everything|things) back|go back to)\b|\b(?:by (?:accident|mistake)|accidentally|mistakenly|did(?:n't| not) mean to)\b/,
  ],
  [
    'cancel',
    /^(?:cancel|stop|abort|halt|quit|end|kill|pause)\b(?!.{0,40}\?)(?: (?:it|that|this|now|everything|all|please|the|my|your|what(?:ever)? you(?:'re| are)|current|running|doing|run|analysis|review|merge|job|task|work|schedule|process|upload|working|immediately|at once|and|again))*$|^forget (?:it|about it|that|the \w+)\b|^(?:don't|do not) (?:run|start|do|continue|go on)\b.{0,30}$/,
  ],
  [
    'goal',
    /^help (?:me|us|our \w+) (?:with|to|on|get|become|be|prepare|through|pass)\b|^help with \w+$|^(?:get|make|bring|prepare)\b.{0,60}\b(?:ready|compliant|in order|up to (?:scratch|standard))\b|\b(?:want|going|planning|plan|hope|like|need|trying|aim|intend) to (?:sell|launch|release|deploy|market|offer|supply|roll out|certify|build|bring)\b.{0,80}$|^(?:i|we)(?:'re| are)? (?:need|want|have to write|must write|preparing|launching|building|writing)\b.{0,20}\b(?:a|an|our|my)\b.{0,60}\b(?:for|of) (?:my|our|the|a|an) (?:startup|start-up|company|product|app|launch|software|system|team)\b/,
  ],
  [
    'help',
    /^help(?: me)?$|^what (?:all )?(?:can|could|do|are) (?:you|u|arc)(?: (?:do|help|offer|able|capable|for))+\b.{0,40}$|^what (?:do|does) (?:you|arc) (?:do|offer)\b.{0,20}$|^how (?:does (?:this|it|arc|that) work|do (?:you|i|we) (?:work|use (?:you|this|arc|it)|start|begin|get started))\b.{0,20}$|^what (?:is|'s) (?:this|arc)\b.{0,10}$|^how (?:can|could|do) you help\b|\bwhere (?:do|should|can) (?:i|we) (?:start|begin)\b|^(?:list|show|tell|explain|what are)\b.{0,20}\b(?:your|its|arc's) (?:features|commands|skills|abilities|functions|capabilities)\b|\bwhat (?:sorts?|kinds?|types?)? ?(?:of )?(?:things|questions|stuff)? ?(?:can|could|may|should) (?:i|we) ask\b|\bhow to use (?:you|this|arc|it)\b|^(?:instructions|manual|commands|menu)$/,
  ],
  [
    'files',
    /\b(?:which|what) (?:files?|logs?|documents?|spreadsheets?|workbooks?|uploads?|exports?)(?: formats?| types?)?\b(?=.*\b(?:you|use|using|used|read|accept|take|support|have|current|loaded|need)\b)|\b(?:which|what) (?:file )?(?:formats?|file types?|version of (?:the|my|our) (?:log|file|document))\b|\bwhere (?:do|can|should|did) (?:i|we|you) (?:upload|put|drop|add|send|attach|keep|find) .{0,30}\b(?:files?|logs?|documents?|spreadsheets?|workbooks?)\b|\bhow (?:do|can|would|should) (?:i|we) (?:upload|add|attach|import|send|give you)\b|\bis (?:my|our|your|the|this) (?:files?|logs?|documents?|spreadsheets?|workbooks?|uploads?) (?:still )?(?:there|here|in there|loaded|uploaded|saved)\b|^(?:can|may|could) (?:i|we) (?:give|send|upload|attach|drop|share)\b.{0,40}\b(?:pdfs?|csv|excel|xlsx|word|docx|documents?|files?|images?|photos?|screenshots?)\b|^(?:do you|did you) (?:accept|take|read|support|get|receive|have)\b.{0,30}\b(?:pdfs?|csv|excel|xlsx|word|docx|documents?|files?|spreadsheets?|logs?)\b/,
  ],
  [
    'export',
    /^(?:export|download|save|print|extract)\b|\b(?:to|can i|can we|i|we) (?:export|download)\b|\b(?:as|to|in|into) (?:an? |one )?(?:csv|excel|xlsx|pdf|word|docx|spreadsheet|workbook|file|zip|attachment)\b|^(?:email|mail|send|give|get|hand)\b.{0,40}\b(?:csv|excel|xlsx|pdf|docx|spreadsheet|workbook|file|zip)\b|\bhow (?:do|can|would) (?:i|we) (?:get|export|download|save|print)\b.{0,60}\b(?:back|out|results?|report)\b/,
  ],
];

/**
 * The general intent of a message to an agent; null where it wants something else.
 * @param agentId the agent that is spoken to: its own work is never another agent's
 */
export function readGeneral(text: string, agentId: AgentId): GeneralIntent | null {
  if (isSmallTalk(text, NAMES)) return 'small-talk';
  const line = plain(text);
  const whole = text.trim().toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').slice(0, 400);
  // "We want to sell …" is a goal, and courtesy before any other request.
  const found = PATTERNS.find(
    ([intent, pattern]) => pattern.test(line) || (intent === 'goal' && pattern.test(whole)),
  )?.[0];
  if (found) return found;
  return findOtherAgent(line, agentId) ? 'other-agent' : null;
}
