import type { GeneralIntent } from './generalIntent.ts';

/**
 * Ways to ask for each general intent, over a line as `readGeneral` makes it; the first that fits wins. Those that name
 * what is wanted stand before those that go by how it is put. They hold no text from outside.
 */
export const PATTERNS: readonly [GeneralIntent, RegExp][] = [
  [
    'identity',
    /^(?:so )?(?:are|r) (?:you|u) (?:really |actually |even )?(?:an? )?(?:\w+ )?(?:qualified|registered|trained|certified|expert|engineer)\b|\bwhat (?:should|shall|do|can|may) (?:i|we) call you\b|\b(?:do|did) you have an? (?:name|surname|face|body)\b|\bwho (?:trained|developed|designed|owns|runs|makes|is behind|coded|wrote|maintains) (?:you|arc|this bot)\b|^(?:what|who) (?:exactly |even )?are you(?: exactly)?$|\b(?:how do you know|where do you get) (?:all )?(?:this|that|these|your answers|the answers)\b|\bintroduce yourself\b|\btell me about yourself\b/,
  ],
  [
    'help',
    /\b(?:what|which) (?:sorts?|kinds?|types?) of (?:things?|stuff|work|jobs?|tasks?|help)\b.{0,20}\byou\b|\b(?:what|how) (?:can|could|do|would) (?:i|we) use (?:you|this|arc|it)(?: for)?\b|\b(?:not sure|don't know|no idea|unsure|confused about) (?:how|what|where) (?:to (?:use|start|begin|do with|ask)|this works|i (?:use|start|do|begin)|you (?:do|work))\b|\bhow does (?:this|the) (?:thing|tool|bot|chat|whole thing)\b|\b(?:show me around|show me the ropes|give me a tour|talk me through (?:it|this|arc|how)|walk me through (?:it|this|arc|how)|get me started|getting started)\b|^(?:i'm|i am|we're|we are) (?:new|lost|stuck|confused|a beginner)\b|\bwhat(?:'s| is) your (?:job|role|purpose|remit|speciality|specialty)\b|\bwhat (?:are|r) (?:you|u) (?:for|good at|good for|capable of|able to)\b|^what do you (?:actually )?do\b|\bhow (?:can|could|do|would) you help\b|\bwhat (?:can|could) you help\b|^(?:i )?need (?:some )?help$|^can you help(?: me| us)?$/,
  ],
  [
    'status',
    /^(?:any|is there any) (?:progress|news|updates?|luck|movement|joy)\b|^where (?:have|had|did|are|r) (?:you|we) (?:got|get|gotten|up|with|on|at)\b(?!.{0,30}\b(?:files?|data|numbers?|figures?)\b)|\bhow(?:'s| is| are) (?:it|things|that|the (?:analysis|review|run|merge|job|work)|you) (?:going with|coming (?:on|along)|getting on|progressing|doing with)\b|\b(?:are|r) (?:you|u|we) (?:all )?(?:done|finished|ready|nearly there|there yet|still (?:at|on|working|running))\b|^(?:is|has) (?:it|that|the (?:analysis|review|run|merge|job|report|check))(?: been)? (?:ready|done|finished|through|complete|completed|over|gone through|worked|run)\b|\bhow (?:long|much longer) (?:will|until|till|is|does|before|do)\b.{0,40}\b(?:take|left|done|finish\w*|ready|need|analysis|run|wait)\b|^how much longer\b|\bwhat(?:'s| is) (?:taking|holding|keeping)\b.{0,20}\b(?:so long|up|you)\b|^have you (?:finished|started|begun|done|completed|got anywhere)\b|\bwhat(?:'s| is| are)? (?:left|still|next)(?: for (?:me|us))? to do\b|\bwhat do i (?:need|have) to (?:do|decide|approve)\b/,
  ],
  [
    'undo',
    /\b(?:put|set|change) (?:it|that|this|them|everything|things|the \w+) back\b|\bgo back (?:to|a step)\b|\bchange my (?:mind|answer|decision)\b|^(?:oops|oh no|argh|damn)\b.{0,40}\b(?:wrong|didn't mean|clicked|pressed|approved|rejected)\b(?!.*\b(?:window|chat|person|channel)\b)|\b(?:pressed|clicked|hit|tapped|approved|rejected|accepted|sent) .{0,30}\b(?:by mistake|by accident|in error|too (?:soon|early))\b|\bun-?(?:approve|accept|reject|merge|send)\b/,
  ],
  [
    'cancel',
    /^(?:(?:actually|wait|no|sorry|oh|hang on|hold on|please|ok)[\s,.!-]+)*(?:cancel|stop|abort|halt|scrap|kill|pause)(?: (?:it|that|this|the (?:run|analysis|merge|review|job|check|import)|what you(?:'re| are) doing|everything))?(?:[,.;!]| -| –|$| for now| because| until| please| there\b| i\b| we\b)|^(?:(?:actually|wait|no|sorry|oh|please|ok)[\s,.!-]+)*(?:don't|do not|dont) (?:run|start|do|go ahead|bother|carry on|continue|proceed|send|begin|analyse|merge)\b|\bcall (?:it|that|the (?:run|analysis|merge)) off\b|^(?:leave|drop) it(?: for now| there)?$/,
  ],
  [
    'files',
    /\b(?:log|register|tickets?|export|list|file) (?:is|are|comes?|came) (?:only |just |kept |all )?(?:as |in |on )?(?:an? |the )?(?:google |ms |microsoft )?(?:word|excel|pdf|csv|xls\w*|docx?|sheets?|spreadsheet|numbers|markdown)\b|^(?:is|are|does|will) (?:an? |the |my |our )?(?:\w+ )?(?:csv|pdf|word|excel|docx?|xls\w*|google sheets?|spreadsheet|screenshot|photo|scan)s?\b.{0,30}\b(?:ok|okay|fine|alright|work|enough|supported|good)\b|\b(?:can|may|could|do|should|must) (?:i|we) (?:drop|paste|upload|attach|use|import|load|put|bring|add|share|send|replace|swap|submit|give)\b.{0,50}\b(?:exports?|files?|pdfs?|csv|excel|word|docx?|sheets?|screenshots?|logs?|workbooks?|register|spreadsheets?|documents?|attachments?|xls\w*)\b|\bhow (?:do|can|would|should|could) (?:i|we) (?:upload|add|attach|import|send|drop|get|put|replace|share|swap)\b.{0,40}\b(?:logs?|files?|tickets|exports?|register|spreadsheets?|workbooks?|documents?|csv)\b(?!.{0,20}\b(?:back|out)\b)|\bhow (?:big|large|long) (?:can|may) .{0,20}\b(?:files?|logs?|uploads?|exports?)\b|\b(?:do|can|will|would) you (?:take|accept|read|open|support|handle|work with|cope with|understand|need|want)\b.{0,40}\b(?:pdfs?|csv|excel|xls\w*|word|docx?|google sheets?|files?|spreadsheets?|scans?|images?|photos?|screenshots?)\b|\b(?:wrong|newer|new|old|different|updated|latest) (?:file|workbook|log|version|spreadsheet|export)\b.{0,40}\b(?:replace|swap|upload|instead|how|drop)\b/,
  ],
  [
    'export',
    /\b(?:as|in) (?:a |an |one )?(?:separate )?(?:file|spreadsheet|csv|pdf|workbook|excel(?: file| sheet)?|word(?: document| file)?)\b|\bwhere (?:do|can|could|would) (?:i|we) (?:download|export|get|find)\b.{0,40}\b(?:download\w*|exports?|verdicts?|proposals|report|results?|log|file)\b|\b(?:a|the) (?:printable|downloadable|csv|excel|pdf) (?:version|copy|file|export|list)\b/,
  ],
  [
    'access',
    /\b(?:delete|erase|remove|wipe|forget)\b.{0,30}\b(?:about (?:me|us)|you (?:hold|have|keep|store|know)|my (?:data|account|details|information)|our (?:data|account|details|information))\b|\bwhat (?:do|does|data do|information do) (?:you|arc) (?:hold|know|store|keep|have) (?:about|on) (?:me|us)\b|\bright to be forgotten\b|\bleaves? (?:the )?(?:uk|eu|country|building|company)\b|\bother (?:companies|customers|clients|trusts|organisations|suppliers)\b.{0,30}\b(?:you work|see|data|logs?)\b|\b(?:logs?|data|documents) (?:of|from|belonging to) (?:the |an?other |any )?other (?:companies|customers|clients|trusts|organisations|suppliers)\b|\b(?:is|are) (?:my|our|this|these|the) (?:chats?|data|logs?|conversations?|messages?|files?) (?:private|confidential|secure|safe|visible|public|shared|kept)\b|\bhow long (?:do you|is|are|will)\b.{0,30}\b(?:keep|kept|stored?|hold|held|retain\w*)\b/,
  ],
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
