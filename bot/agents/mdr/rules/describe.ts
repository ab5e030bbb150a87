import { CHOICES, type DeviceFacts, FACTS, factOf, labelOf, shownValue } from '../facts/facts.ts';
import type { Alternative, Classification } from './classify.ts';
import type { Reasoned } from './deviceClass.ts';
import { EDITIONS, TO_CHECK } from './editions.ts';
import { findContradiction } from './softwareSafety.ts';

/** A part of the reasoning: a heading, and its sentences. */
type ReasonedPart = { heading: string; lines: string[] };

const OUTCOME = { yes: 'Yes', no: 'No', open: 'Open' } as const;

/** "IIa", or what is known of it: "not settled, at least IIa". */
export const describeClass = ({ class: found, atLeast }: Pick<Reasoned, 'class' | 'atLeast'>): string =>
  found ?? (atLeast ? `not settled, at least ${atLeast}` : 'not settled');

const describeAlternative = ({ fact, option, class: then }: Alternative) =>
  `It would be ${then} if “${CHOICES[fact].label.toLowerCase()}” were “${option}”.`;

function describeQualification({ qualification }: Classification): ReasonedPart {
  const verdict = {
    yes: 'By these facts it is medical device software.',
    no: 'By these facts it is no medical device, so no class is given. The claims made for it must stay within that.',
    open: 'Whether it is a medical device is open. The class below is only what it would be.',
  }[qualification.qualifies];
  return {
    heading: 'Is it a medical device?',
    lines: [
      ...qualification.steps.map(({ step, outcome, because }) => `${step} ${OUTCOME[outcome]}. ${because}`),
      verdict,
    ],
  };
}

const describeRules = ({ rules }: Reasoned) =>
  rules.map(({ rule, gives, because }) => `${rule} gives ${gives}: ${because}.`);

function describeEu(facts: DeviceFacts, { eu }: Classification): ReasonedPart[] {
  if (!eu) return [];
  const table = eu.table
    ? [
        `The table of the guidance (significance and state of the condition) gives ${eu.table}.${
          eu.class && eu.table !== eu.class
            ? ' It differs from the rule’s text, which goes first here: settle that with your notified body.'
            : ''
        }`,
      ]
    : [];
  const contraception = /contracept/i.test(`${factOf(facts, 'purpose') ?? ''} ${factOf(facts, 'functions') ?? ''}`)
    ? ['The purpose names contraception: check Rule 15, which gives IIb.']
    : [];
  const loop =
    factOf(facts, 'driven') !== undefined &&
    factOf(facts, 'driven') !== 'no' &&
    factOf(facts, 'significance') === 'diagnose'
      ? ['It drives a device by its own diagnosis: check Rule 22 for closed loops, which gives III.']
      : [];
  return [
    {
      heading: `European Union: class ${describeClass(eu)}`,
      lines: [
        ...describeRules(eu),
        ...table,
        ...contraception,
        ...loop,
        ...eu.alternatives.map(describeAlternative),
        EDITIONS.proposal,
      ],
    },
  ];
}

function describeUk({ qualification, uk }: Classification): ReasonedPart[] {
  if (!uk)
    return qualification.qualifies === 'no'
      ? []
      : [{ heading: 'Great Britain: not asked', lines: ['The market given is the European Union alone.'] }];
  return [
    {
      heading: `Great Britain: class ${describeClass(uk)}`,
      lines: [
        ...describeRules(uk),
        ...uk.alternatives.map(describeAlternative),
        EDITIONS.ukAcceptance,
        EDITIONS.ukPlans,
      ],
    },
  ];
}

/** The facts that the reasoning rests on, as "Label: value", with the words that they were read from. */
export const listFacts = (facts: DeviceFacts): string[] =>
  FACTS.flatMap((fact) => {
    const value = shownValue(facts, fact);
    return value === null ? [] : [`${labelOf(fact)}: ${value}`];
  });

/** The reasoning in writing, part by part. */
export function describeReasoning(facts: DeviceFacts, result: Classification): ReasonedPart[] {
  const { software } = result;
  const contradiction = findContradiction(facts);
  return [
    describeQualification(result),
    ...describeEu(facts, result),
    ...describeUk(result),
    {
      heading: `Software safety class (IEC 62304): ${software.class}${software.isAssumed ? ', assumed' : ''}`,
      lines: [`Class ${software.class}: ${software.because}.`, ...(contradiction ? [contradiction] : [])],
    },
    { heading: 'Texts', lines: [EDITIONS.mdr, EDITIONS.guidance, EDITIONS.uk, EDITIONS.software] },
    { heading: 'Before you rely on it', lines: [TO_CHECK] },
  ];
}
