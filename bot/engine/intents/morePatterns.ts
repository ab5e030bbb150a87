import type { GeneralIntent } from './generalIntent.ts';

/** Further ways to ask for a general intent, which name what is wanted rather than how it is put. */
export const MORE_PATTERNS: readonly [GeneralIntent, RegExp][] = [
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
];
