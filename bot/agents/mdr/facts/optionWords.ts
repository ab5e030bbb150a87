import type { ChoiceFact } from './facts.ts';

const YES_NO: readonly [string, RegExp][] = [
  ['no', /^(?:no\b|none|not\b|never)|^false$/i],
  ['yes', /^(?:yes\b|true$)/i],
];

const NONE = /^(?:no\b|none|neither|not\b|nothing)/i;

/** The words of each option, the first match wins: "non-serious" is looked for before "serious". */
export const OPTION_WORDS: Record<ChoiceFact, readonly [option: string, words: RegExp][]> = {
  medical: YES_NO,
  processing: [
    ['more', /calculat|interpret|analys|chang|compar|choos|score|predict|combin|measur/i],
    ['store', /\b(?:stor|archiv|send|communicat|transmit|search|show|display)/i],
  ],
  individual: YES_NO,
  decisions: [
    ['no', NONE],
    ['both', /\bboth\b|diagnos\w*\W+(?:and|or|\/)?\W*(?:therap|treat)|(?:therap|treat)\w*\W+(?:and|or|\/)?\W*diagnos/i],
    ['diagnosis', /diagnos|triage|detect|screening/i],
    ['therapy', /therap|treat|dos(?:e|ing)|prescri/i],
  ],
  significance: [
    ['drive', /\bdriv(?:e|es|ing)\b/i],
    ['inform', /\binform/i],
    ['diagnose', /diagnos|treat/i],
  ],
  harm: [
    ['less', /^(?:less|no\b|none|minor|slight)|non-serious|not serious/i],
    ['death', /death|fatal|die|kill|irreversibl/i],
    ['serious', /serious|surg|severe/i],
  ],
  condition: [
    ['minor', /non-serious|not serious|minor|mild/i],
    ['critical', /critical|life-threat/i],
    ['serious', /serious|severe/i],
  ],
  monitoring: [
    ['no', NONE],
    ['vital', /vital.*\b(?:no|without) (?:immediate )?danger/i],
    ['other', /physiolog/i],
    ['danger', /vital|immediate danger/i],
  ],
  driven: [
    ['no', NONE],
    ['III', /\b(?:III|3)\b/],
    ['IIb', /\b(?:IIb|2b)\b/i],
    ['IIa', /\b(?:IIa|2a)\b/i],
    ['I', /\b(?:I|1)\b/],
  ],
  failure: [
    ['controlled', /outside|controlled|no unacceptable/i],
    ['minor', /non-serious|not serious|minor|slight/i],
    ['none', /^(?:no\b|none)/i],
    ['serious', /serious|death|kill|die|severe/i],
  ],
  lay: YES_NO,
  combined: YES_NO,
  mobile: YES_NO,
  measuring: YES_NO,
  market: [
    [
      'both',
      /\bboth\b|\b(?:EU|Europe\w*|European Union)\b.*\b(?:UK|GB|(?:Great )?Britain|United Kingdom)\b|\b(?:UK|GB|(?:Great )?Britain|United Kingdom)\b.*\b(?:EU|Europe\w*)\b/i,
    ],
    ['eu', /\b(?:EU|Europe\w*)\b/i],
    ['uk', /\b(?:UK|GB|Britain|United Kingdom|England)\b/i],
  ],
};
