/** A kind of step: verbs that name it, and the guidewords of SWIFT that apply, each as the end of a question. */
type StepKind = { kind: string; verbs: RegExp; guidewords: readonly string[] };

const UNAVAILABLE = 'can’t be done because the system is unavailable';
const LATE = 'happens late';
const WRONG_PATIENT = 'is done for the wrong patient';
const DUPLICATE = 'is done twice';
const WRONG_PERSON = 'is done by somebody who should not do it';

/** The kind whose verb comes first in a part of the text is its kind. */
export const STEP_KINDS: readonly StepKind[] = [
  {
    kind: 'alerting',
    verbs: /\b(?:alert|alarm|warn|remind|notif(?:y|ies|ied)|escalat)\w*/i,
    guidewords: [
      'is not seen in time',
      'is raised when nothing is wrong, until people ignore it',
      LATE,
      'reaches the wrong person',
      UNAVAILABLE,
    ],
  },
  {
    kind: 'deciding or calculating',
    verbs:
      /\b(?:calculat|comput|scor|predict|triag|recommend|suggest|detect|diagnos|classif|prioriti[sz]|summari[sz]|transcrib|interpret|convert)\w*/i,
    guidewords: [
      'gives a wrong result',
      'works from missing or old data',
      'gives no result, and that is not noticed',
      'is misread or trusted too much',
      WRONG_PATIENT,
    ],
  },
  {
    kind: 'ordering or giving treatment',
    verbs: /\b(?:prescri|administ|dispens|order|treat|dos(?:e|es|ing)\b|infus)\w*/i,
    guidewords: [
      WRONG_PATIENT,
      'names the wrong item, amount, unit or route',
      'is missing or left out',
      DUPLICATE,
      LATE,
      'is done in the wrong order',
    ],
  },
  {
    kind: 'sending',
    verbs:
      /\b(?:send|sent|transmit|shar(?:e|es|ed|ing)\b|refer(?:s|red)?\b|submit|transfer|export|deliver|messag|publish|forward)\w*/i,
    guidewords: [
      'does not arrive, and nobody notices',
      LATE,
      DUPLICATE,
      'goes to the wrong place',
      'arrives incomplete or changed',
      WRONG_PATIENT,
    ],
  },
  {
    kind: 'receiving',
    verbs: /\b(?:receiv|import|sync|fetch|retriev|upload|ingest|pull)\w*/i,
    guidewords: [
      'brings missing or partial data',
      'brings old data',
      'files data to the wrong patient',
      DUPLICATE,
      UNAVAILABLE,
    ],
  },
  {
    kind: 'finding or choosing',
    verbs: /\b(?:search|find|select|choos|chose|pick|identif|scan|match|log ?in|sign ?in|look ?up|open)\w*/i,
    guidewords: [
      'picks the wrong patient or item',
      'finds nothing although it is there',
      'finds it twice',
      UNAVAILABLE,
      WRONG_PERSON,
    ],
  },
  {
    kind: 'approving',
    verbs: /\b(?:approv|authori[sz]|sign(?:s|ed|ing)?\b|confirm|review|verif|accept)\w*/i,
    guidewords: ['is skipped', WRONG_PERSON, 'is done without looking', LATE],
  },
  {
    kind: 'booking',
    verbs: /\b(?:book|schedul|appoint|cancel|reschedul|allocat|assign)\w*/i,
    guidewords: ['is lost', LATE, DUPLICATE, WRONG_PATIENT, 'is changed, and not everybody knows'],
  },
  {
    kind: 'recording',
    verbs:
      /\b(?:record|enter|typ(?:e|es|ed|ing)\b|writ|document|captur|measur|complet|fill|updat|edit|sav|stor|log)\w*/i,
    guidewords: [
      'records a wrong value or unit',
      WRONG_PATIENT,
      'is lost or left out',
      DUPLICATE,
      'is overwritten by somebody else',
      UNAVAILABLE,
    ],
  },
  {
    kind: 'showing',
    verbs: /\b(?:show|display|view|list|read|see(?:s|n)?\b|present|visuali[sz]|chart|graph|monitor|track)\w*/i,
    guidewords: ['shows another patient', 'shows old or partial data', 'is not seen', 'is misread', UNAVAILABLE],
  },
];
