import { z } from 'zod';

/** Facts that are told in words. */
export const TEXT_FACTS = [
  'name',
  'purpose',
  'users',
  'patients',
  'functions',
  'version',
  'manufacturer',
  'notifiedBody',
  'certified',
  'marketed',
] as const;
type TextFact = (typeof TEXT_FACTS)[number];

/** Facts that are one of a few options. */
export const CHOICE_FACTS = [
  'medical',
  'processing',
  'individual',
  'decisions',
  'significance',
  'harm',
  'condition',
  'monitoring',
  'driven',
  'failure',
  'lay',
  'combined',
  'mobile',
  'measuring',
  'market',
] as const;
export type ChoiceFact = (typeof CHOICE_FACTS)[number];

export type Fact = TextFact | ChoiceFact;

/** A fact, with the words that it was read from; null where it was chosen from options. */
const known = z.object({ value: z.string(), words: z.string().nullable() });
export type Known = z.output<typeof known>;

/** What is known about a product. A fact that is absent is not known. */
export const deviceFacts = z.partialRecord(z.enum([...TEXT_FACTS, ...CHOICE_FACTS]), known);
export type DeviceFacts = z.output<typeof deviceFacts>;

/** The value of a fact; undefined where it is not known. */
export const factOf = (facts: DeviceFacts, fact: Fact): string | undefined => facts[fact]?.value;

type Described = { label: string; hint: string; required: boolean };

/** How facts in words are asked for. Dates are days: 2026-03-01. */
export const TEXTS: Record<TextFact, Described> = {
  name: { label: 'Name', hint: 'the product’s name', required: true },
  purpose: { label: 'Intended purpose', hint: 'what it is for, in one or two sentences', required: true },
  users: { label: 'Users', hint: 'who works with it', required: false },
  patients: { label: 'Patients', hint: 'on whom, and in which condition', required: false },
  functions: { label: 'Functions', hint: 'what the software does with which data', required: false },
  version: { label: 'Version', hint: 'the software version', required: false },
  manufacturer: { label: 'Manufacturer', hint: 'name and address', required: false },
  notifiedBody: { label: 'Notified body', hint: 'name and number', required: false },
  certified: { label: 'Certificate date', hint: 'as 2026-03-01', required: false },
  marketed: { label: 'First placed on the market', hint: 'as 2026-03-01', required: false },
};

type Choice = {
  /** As a column and as a line of an answer name it. */
  label: string;
  question: string;
  why: string;
  options: readonly { id: string; label: string }[];
};

const YES_NO = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

export const CHOICES: Record<ChoiceFact, Choice> = {
  medical: {
    label: 'Medical purpose',
    question: 'Is it meant for a medical purpose?',
    why: 'Article 2(1): diagnosis, prevention, monitoring, prediction, prognosis, treatment or alleviation of disease, injury or disability.',
    options: YES_NO,
  },
  processing: {
    label: 'Processing',
    question: 'What does it do with the data?',
    why: 'MDCG 2019-11: software that only stores, archives, communicates or simply searches is no device.',
    options: [
      { id: 'more', label: 'It calculates, interprets or changes it' },
      { id: 'store', label: 'It only stores, sends, shows or searches it' },
    ],
  },
  individual: {
    label: 'Individual patients',
    question: 'Is its result meant for individual patients?',
    why: 'MDCG 2019-11: statistics of groups of people do not make a device.',
    options: YES_NO,
  },
  decisions: {
    label: 'Decisions',
    question: 'Which decisions is its information used for?',
    why: 'Rule 11, first part: information for decisions on diagnosis or therapy starts at class IIa.',
    options: [
      { id: 'diagnosis', label: 'Diagnosis' },
      { id: 'therapy', label: 'Therapy' },
      { id: 'both', label: 'Diagnosis and therapy' },
      { id: 'no', label: 'Neither' },
    ],
  },
  significance: {
    label: 'Significance',
    question: 'How much does its information decide?',
    why: 'The table of MDCG 2019-11, and Rule 10 in Great Britain (direct diagnosis).',
    options: [
      { id: 'diagnose', label: 'It diagnoses or treats by itself' },
      { id: 'drive', label: 'It drives the next step' },
      { id: 'inform', label: 'It informs, among other information' },
    ],
  },
  harm: {
    label: 'Worst consequence',
    question: 'What is the worst that a decision on wrong information may cause?',
    why: 'Rule 11: serious deterioration or surgery gives IIb, death or irreversible deterioration gives III.',
    options: [
      { id: 'death', label: 'Death or irreversible deterioration' },
      { id: 'serious', label: 'Serious deterioration or surgery' },
      { id: 'less', label: 'Less than that' },
    ],
  },
  condition: {
    label: 'State of the condition',
    question: 'How serious is the patients’ condition?',
    why: 'The table of MDCG 2019-11 has it beside the significance.',
    options: [
      { id: 'critical', label: 'Critical' },
      { id: 'serious', label: 'Serious' },
      { id: 'minor', label: 'Non-serious' },
    ],
  },
  monitoring: {
    label: 'Monitoring',
    question: 'Does it monitor physiological processes?',
    why: 'Rule 11, second part: IIa; vital parameters whose variation could mean immediate danger give IIb. In Great Britain Rule 10 asks whether the process is vital.',
    options: [
      { id: 'danger', label: 'Vital parameters, immediate danger possible' },
      { id: 'vital', label: 'Vital processes, without immediate danger' },
      { id: 'other', label: 'Other physiological processes' },
      { id: 'no', label: 'No monitoring' },
    ],
  },
  driven: {
    label: 'Driven device',
    question: 'Does it drive or influence another device, and of which class?',
    why: 'Annex VIII, 3.3: such software falls in the class of that device.',
    options: [
      { id: 'no', label: 'No other device' },
      { id: 'I', label: 'A class I device' },
      { id: 'IIa', label: 'A class IIa device' },
      { id: 'IIb', label: 'A class IIb device' },
      { id: 'III', label: 'A class III device' },
    ],
  },
  failure: {
    label: 'Software failure',
    question: 'What could a failure of the software lead to?',
    why: 'IEC 62304, 4.3: safety class A, B or C.',
    options: [
      { id: 'none', label: 'No injury' },
      { id: 'controlled', label: 'No unacceptable risk, thanks to measures outside the software' },
      { id: 'minor', label: 'A non-serious injury' },
      { id: 'serious', label: 'A serious injury or death' },
    ],
  },
  lay: {
    label: 'Lay users',
    question: 'Do lay people use it, for example patients?',
    why: 'Annex I, 22 and parts of 23.',
    options: YES_NO,
  },
  combined: {
    label: 'Used together',
    question: 'Does it work together with other devices or products?',
    why: 'Annex I, 14.1, 14.2(f) and 14.5.',
    options: YES_NO,
  },
  mobile: {
    label: 'Mobile platform',
    question: 'Does it run on phones or tablets?',
    why: 'Annex I, 17.3.',
    options: YES_NO,
  },
  measuring: {
    label: 'Measuring function',
    question: 'Does it measure something, in units?',
    why: 'Annex I, 15; a class I device that measures needs a notified body for that.',
    options: YES_NO,
  },
  market: {
    label: 'Market',
    question: 'Where is it sold?',
    why: 'The European Union and Northern Ireland follow MDR 2017/745, Great Britain UK MDR 2002.',
    options: [
      { id: 'eu', label: 'European Union' },
      { id: 'uk', label: 'Great Britain' },
      { id: 'both', label: 'European Union and Great Britain' },
    ],
  },
};

const choiceIds: readonly string[] = CHOICE_FACTS;
export const isChoiceFact = (fact: string): fact is ChoiceFact => choiceIds.includes(fact);

/** Every fact, in the order in which people read them. */
export const FACTS: readonly Fact[] = [...TEXT_FACTS, ...CHOICE_FACTS];

/** A fact's label: "Intended purpose". */
export const labelOf = (fact: Fact): string => (isChoiceFact(fact) ? CHOICES[fact].label : TEXTS[fact].label);

/** A fact's value as people read it; null where it is not known. */
export function shownValue(facts: DeviceFacts, fact: Fact): string | null {
  const value = factOf(facts, fact);
  if (value === undefined) return null;
  return isChoiceFact(fact) ? (CHOICES[fact].options.find(({ id }) => id === value)?.label ?? value) : value;
}
