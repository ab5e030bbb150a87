/** Words that make a message small talk. */
const TALK = new Set(
  'hi hello hey hiya heya howdy morning evening afternoon thanks thank thx thankyou ta tah cheers great perfect nice lovely brilliant excellent awesome amazing fantastic super cool wonderful splendid good bye goodbye cya night sorry apologies oops lol haha hehe ha ok okay okey k kk fine sure yes yeah yep yup no nope gotcha understood noted welcome weekend holiday appreciated appreciate grateful star legend congratulations congrats wow yay hurray bravo kudos helpful helped works agreed alright right anyway hmm hm nevermind mistake laugh funny coffee cuppa raining rainy sunny snowing tired phew ugh pleasure smart clever kind impressive impressed love loved enjoy enjoyed interesting fascinating neat sweet glad happy fab ace bless chuffed delighted likewise mate pal buddy'.split(
    ' ',
  ),
);
/** Words that may stand beside them. */
const BESIDE = new Set(
  "that this it's its it is was were a an the so very much really then there all everyone everybody folks team you you're youre your ur u me my i i'm im we us our for and but to of at in on have had be been being again today tomorrow now soon later just what's exactly needed need needed wanted want what got get see talk speak catch up job work day one many indeed too quite most such well done looks look sounds sound that's thats as always arc day back from with here makes make sense wrong window i'll take last no monday tuesday wednesday thursday friday saturday sunday bit finally yesterday tonight moment off home bye-bye he's she's you'll outside".split(
    ' ',
  ),
);
/** Questions and phrases that are small talk as a whole. */
const PHRASES =
  /\bhow (?:are|r) (?:you|u)(?: (?:doing|today|keeping))?\b|\bhow(?:'s| is| was) (?:it going|life|things|your (?:day|weekend|morning|evening|holiday|week))\b|\bhow do you do\b|\bwhat's up\b|\bno (?:worries|problem|bother)\b|\bnever mind\b|\bnice to meet you\b|\bmy (?:bad|mistake|fault)\b|\bsee (?:you|ya)\b|\btake care\b|\bhave a (?:good|nice|great|lovely) \w+\b|\bgot it\b|\bhappy (?:new year|christmas|birthday|easter)\b|\b(?:merry christmas)\b|\b(?:back|brb) in (?:a|an|five|ten|\d{1,3}) (?:bit|moment|minutes?|mins?|secs?|seconds?|hours?)\b|\b(?:one|just a|give me a|hang on a|hold on a) (?:moment|sec|second|minute|min)\b|\b(?:hang|hold) on\b|\bthat(?:'s| is|s| was|'ll be| will be) (?:all|it|everything)(?: (?:for|from) (?:now|today|me))?\b|\b(?:long|busy|tough|hard|quiet|slow|rough) (?:day|week|morning|afternoon|meeting)\b|\bdo you (?:ever )?(?:sleep|dream|get (?:bored|tired))\b|\bhow old are you\b|\b(?:keep it up|keep up the (?:good|great) work|you rock|well done|same to you|good (?:job|work|one|luck))\b|\b(?:talk|speak|chat) (?:to you )?(?:later|soon|tomorrow)\b|\boff (?:home|to lunch|for (?:lunch|today|the day|a walk))\b|\b(?:are )?(?:you|anyone|anybody)(?: still)? there\b/g;
/** How remarks begin or end that ask for nothing. */
const REMARK =
  /^(?:oops|whoops|h+m+|u+m+|ah+|aha|oh|ta|thanks|thank you|thankyou|thx|cheers|many thanks|no worries|no problem|not to worry|never ?mind|sorry|apologies|lol|ha(?:ha)*|hi|hello|hey|hiya|morning|afternoon|evening|good (?:morning|afternoon|evening|night)|bye|goodbye|brilliant|great|nice|lovely|perfect|wow|phew|ignore (?:me|that|this|my last)|wrong (?:chat|window|person|channel|tab)|fair enough|well done|all good|good (?:stuff|job|work|to know)|makes sense|interesting|excellent|amazing|awesome|super|fab|much appreciated|appreciate|you(?:'re| are) (?:a |the |very |so )?(?:star|best|legend|great|brilliant|helpful|quick|welcome)|that(?:'s| is| was) (?:all|it|great|brilliant|lovely|really|very|so|super|helpful|handy|useful|perfect|fine|good|quick|interesting)|have a|see you|speak|talk|catch you|happy|enjoy|i(?:'m| am) (?:off|back|going|just|tired|knackered)|what a|sounds (?:good|great|fine)|right then|fine|cool|done|sure|agreed|exactly)\b/;
const ASKS =
  /\?|\b(?:which|what|how many|show|list|find|tell|give|explain|analy[sz]e|merge|run|export|delete|undo|stop|cancel|download|write|draft|check|log|open|closed)\b/;
const MAX_REMARK = 14;

/** Whether a message that no other reading fits is only a remark: it begins as one, and asks for nothing. */
export function isRemark(text: string): boolean {
  const line = text.trim().toLowerCase().replaceAll('’', "'");
  return REMARK.test(line) && !ASKS.test(line) && !/\d/.test(line) && line.split(/\s+/).length <= MAX_REMARK;
}
const MAX_WORDS = 14;

/**
 * Whether a message is small talk and nothing else: a greeting, thanks, goodbye, a word of assent, or only signs.
 * @param names names of agents in lower case, which people add
 */
export function isSmallTalk(text: string, names: readonly string[]): boolean {
  const line = text.trim().toLowerCase().replaceAll('’', "'");
  if (line === '') return false;
  if (!/[\p{L}\p{N}]/u.test(line)) return true;
  const rest = line.replace(PHRASES, ' ');
  const words = rest.match(/[\p{L}\p{N}']+/gu) ?? [];
  const isTalk = words.some((word) => TALK.has(word)) || rest !== line;
  return (
    isTalk &&
    words.length <= MAX_WORDS &&
    words.every((word) => TALK.has(word) || BESIDE.has(word) || names.includes(word))
  );
}
