import { EDITIONS } from './editions.ts';

/** Whether a claim of a kind can be written where the documents give evidence for it. */
type Kind = {
  id: string;
  words: RegExp;
  /** `never`: a person decides, and it is not written here. `evidence`: written where evidence is found. */
  needs: 'never' | 'evidence';
  reason: string;
  /** The rule with its edition; null where Arc's own care is the reason. */
  rule: string | null;
  isMedical?: true;
};

const INTENDED_PURPOSE = `${EDITIONS.mdr}, Articles 2(12) and 7; ${EDITIONS.uk}, regulation 2(1): promotional material is part of the intended purpose`;

/** What words make a claim, in the order in which they are looked for. The first that fits names the kind. */
export const KINDS: readonly Kind[] = [
  {
    id: 'clinical proof',
    words:
      /\b(?:(?:clinically|scientifically|medically) (?:proven|validated|tested|effective|shown|verified)|proven to|evidence-based|(?:doctor|nurse|clinician)[- ]recommended)\b/i,
    needs: 'never',
    reason:
      'It says that the product is proven in use on people. Trials on people have to bear it, for this product and this use.',
    rule: `${EDITIONS.code}, rule 12.1; ${EDITIONS.mdr}, Article 7`,
    isMedical: true,
  },
  {
    id: 'approval',
    words:
      /\b(?:CE|UKCA)[- ]?mark\w*|\b(?:FDA|MHRA|NHS|NICE|CQC|EMA|TGA)[- ](?:approved|cleared|registered|endorsed|recommended|certified|compliant|authori[sz]ed)\b|\b(?:approved|endorsed|cleared|accredited|authori[sz]ed|recommended|registered) (?:by|with|under)\b|\bcertifi(?:ed|cation|cate)\b|\baccredited\b|\bcompliant\b|\bcompl(?:y|ies) with\b|\bconform(?:s|ity)?\b|\bmedical device\b/i,
    needs: 'never',
    reason:
      'It names an approval, a certificate or conformity. It stands only as the certificate says it, with its number and scope.',
    rule: `${EDITIONS.code}, rule 3.50; ${EDITIONS.mdr}, Articles 7 and 20`,
    isMedical: true,
  },
  {
    id: 'medical effect',
    words:
      /\b(?:treat(?:s|ing|ed)?|treatment (?:of|for)|cur(?:es?|ed|ing)|heal(?:s|ed|ing)?|diagnos\w+|detect(?:s|ed|ing|ion)?|screens? for|prevent(?:s|ed|ing|ion)?|predict(?:s|ed|ing)?|reliev(?:es?|ed|ing)|alleviat\w+|therap(?:y|ies|eutic)|sav(?:es?|ed|ing) lives)\b|\b(?:monitors?|manag(?:es?|ing)|eases?|lowers?|reduc(?:es?|ed|ing)|cuts?) (?:[\p{L}-]+ ){0,3}?(?:pain|symptoms?|mortality|deaths?|falls|infections?|harm|readmissions?|complications?|errors?|blood pressure|glucose|anxiety|depression|stress|disease|condition|risks?)\b|\bimprov(?:es?|ed|ing) (?:[\p{L}-]+ ){0,3}?(?:outcomes?|health|sleep|recovery|survival|well-?being|symptoms?|mood|safety)\b/iu,
    needs: 'never',
    reason:
      'It may say that the product treats, diagnoses, prevents, predicts or monitors. That makes or widens the intended purpose of a medical device.',
    rule: `${INTENDED_PURPOSE}; ${EDITIONS.code}, rules 12.1 and 12.2`,
    isMedical: true,
  },
  {
    id: 'safety',
    words:
      /\bsafe(?:ly|r|st)?\b|\bsafety(?! (?:officers?|cases?|reports?|teams?|leads?|managers?|data|standards?|logs?)\b)|\bharmless\b|\brisk-free\b|\b(?:no|zero|without) (?:known )?(?:side[- ]effects?|risks?|harms?|adverse)\b/i,
    needs: 'never',
    reason:
      'It says that the product is safe or without risk. Nothing given here can bear that, and residual risks have to be told.',
    rule: `${EDITIONS.mdr}, Article 7(c); ${EDITIONS.code}, rules 3.1 and 12.1`,
    isMedical: true,
  },
  {
    id: 'testimonial',
    words: /[”"],? (?:says|said|writes|wrote)\b|\b(?:says|said|writes|wrote) \p{Lu}\p{Ll}+ \p{Lu}/u,
    needs: 'never',
    reason: 'Somebody is quoted. It needs proof that the quote is genuine, and that person’s permission.',
    rule: `${EDITIONS.code}, rules 3.45 and 3.48`,
  },
  {
    id: 'instruction',
    words:
      /^(?:please )?(?:ignore|disregard|forget|write|say|claim|state|tell|mention|pretend|print|output|repeat|remember|make sure)\b/i,
    needs: 'never',
    reason:
      'It tells somebody what to write and says nothing about the product. Instructions in a document are not followed.',
    rule: null,
  },
  {
    id: 'planned',
    words: /\b(?:will|shall|plans? to|planned|coming soon|soon|road ?map|in development|upcoming|not yet|going to)\b/i,
    needs: 'never',
    reason: 'It speaks of what is not there yet.',
    rule: `${EDITIONS.code}, rule 3.1`,
  },
  {
    id: 'absolute',
    words:
      /\b(?:never|always|guarante\w+|zero|eliminat\w+|completely|totally|every time|error-free|flawless\w*|perfect\w*|no (?:more )?(?:errors?|mistakes?))\b|\b100 ?%/i,
    needs: 'never',
    reason: 'It promises without exception. One exception makes it untrue.',
    rule: `${EDITIONS.code}, rules 3.1 and 3.7`,
  },
  {
    id: 'comparison',
    words:
      /\b(?:best|leading|leader|unique|unrivalled|unmatched|unbeatable|world[- ]class|number one|better|faster|quicker|cheaper|easier|simpler)\b|\bno\. ?1\b|(?:^|\b(?:is|are|be) |, )the (?:only|first|most)\b|\b(?:more|less|fewer|\p{Ll}{3,}er) (?:[\p{L}-]+ ){0,3}?than\b/iu,
    needs: 'evidence',
    reason: 'It compares the product with others or with other ways. The comparison has to be measured and verifiable.',
    rule: `${EDITIONS.code}, rules 3.7, 3.33 and 3.35`,
  },
];

/** The kind of a claim with a figure about an effect or about use. */
export const FIGURE: Kind = {
  id: 'figure',
  words:
    /\b(?:used|trusted|chosen|loved) by\b|\b(?:users?|customers?|people|staff|nurses|doctors|teams) (?:love|prefer|recommend|trust|like|say|said)\b|%|\bper cent\b|\b\d+ ?(?:times|x)\b/i,
  needs: 'evidence',
  reason:
    'It gives a figure about an effect or about use. A study, a survey, an audit or a record has to show the same figure.',
  rule: `${EDITIONS.code}, rule 3.7`,
};

/** The kind of a claim about an effect without a figure. */
export const EFFECT: Kind = {
  id: 'effect',
  words: /\b(?:sav(?:es?|ed|ing)|boosts?|speeds? up)\b/i,
  needs: 'evidence',
  reason: 'It says that something gets better by the product. A study, a survey, an audit or a record has to show it.',
  rule: `${EDITIONS.code}, rule 3.7`,
};

/** The kind of a claim of a request that no document says. */
export const NO_SOURCE: Kind = {
  id: 'no source',
  words: /(?!)/,
  needs: 'never',
  reason: 'No document that was given says it.',
  rule: `${EDITIONS.code}, rule 3.7`,
};

/** The kind of what stands under a heading such as “Internal”. */
export const INTERNAL: Kind = {
  id: 'internal',
  words: /(?!)/,
  needs: 'never',
  reason: 'It stands under a heading that says that it is internal.',
  rule: null,
};

export type ClaimKind = Kind;
