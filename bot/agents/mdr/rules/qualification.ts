import { CHOICES, type ChoiceFact, type DeviceFacts, factOf } from '../facts/facts.ts';

/** Whether it is a device: open while a fact is missing. */
type Qualifies = 'yes' | 'no' | 'open';

type StepOutcome = { step: string; outcome: Qualifies; because: string };

export type Qualification = { qualifies: Qualifies; steps: StepOutcome[] };

type QualifyingStep = { fact: ChoiceFact; step: string; passes: string; yes: string; no: string };

/** The steps of MDCG 2019-11, each with the fact that decides it. */
const STEPS: readonly QualifyingStep[] = [
  {
    fact: 'processing',
    step: 'Does it do more than store, archive, communicate or simply search?',
    passes: 'more',
    yes: 'It calculates, interprets or changes data.',
    no: 'It only stores, sends, shows or searches data, which makes no medical device software.',
  },
  {
    fact: 'individual',
    step: 'Is its action for the benefit of individual patients?',
    passes: 'yes',
    yes: 'Its result is meant for individual patients.',
    no: 'Its result is not meant for individual patients.',
  },
  {
    fact: 'medical',
    step: 'Is it meant for a medical purpose of Article 2(1)?',
    passes: 'yes',
    yes: 'The manufacturer gives it a medical purpose.',
    no: 'The manufacturer gives it no medical purpose.',
  },
];

/** Follows the steps of MDCG 2019-11 for software. One step that is not passed decides, whatever else is open. */
export function qualify(facts: DeviceFacts): Qualification {
  const decided = STEPS.map(({ fact, step, passes, yes, no }): StepOutcome => {
    const value = factOf(facts, fact);
    if (value === undefined)
      return { step, outcome: 'open', because: `Not known yet: ${CHOICES[fact].label.toLowerCase()}.` };
    return value === passes ? { step, outcome: 'yes', because: yes } : { step, outcome: 'no', because: no };
  });
  const steps: StepOutcome[] = [
    { step: 'Is it software?', outcome: 'yes', because: 'Arc takes the product as software on its own.' },
    ...decided,
  ];
  const outcomes = steps.map(({ outcome }) => outcome);
  const qualifies = outcomes.includes('no') ? 'no' : outcomes.includes('open') ? 'open' : 'yes';
  return { qualifies, steps };
}
