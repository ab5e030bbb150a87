import { CHOICES, type ChoiceFact, type DeviceFacts, factOf } from '../facts/facts.ts';
import { classInEu } from '../rules/classRules.ts';
import type { Applies } from './requirement.ts';

type Applicability = { applies: 'yes' | 'no' | 'open'; because: string };

/** Why requirements on things that software does not have do not apply. */
const NOT_OF_SOFTWARE: Partial<Record<Applies, string>> = {
  'no-material': 'Software on its own has no material that touches a body.',
  'no-sterile': 'Software on its own is neither sterile nor a carrier of microbes.',
  'no-medicine': 'Software on its own holds no medicinal or absorbed substance.',
  'no-tissue': 'Software on its own holds no tissue, cells or biological substance.',
  'no-radiation': 'Software on its own emits no radiation.',
  'no-implant': 'Software on its own is no implant.',
  'no-body': 'Software on its own has no physical body.',
  'no-supply': 'Software on its own supplies neither energy nor substances.',
  'no-power': 'Software on its own has no power supply and no electronics of its own.',
  'no-annex-xvi': 'The product has a medical purpose, so it is none of Annex XVI.',
  'no-custom': 'The product is not made to the prescription for one patient.',
  'no-packaging':
    'Software is delivered without packaging; delivery and installation are covered by 14.2(d), 17.4 and 23.4(i).',
};

type Condition = {
  /** Facts that each make it apply, with the value that means that it does not. */
  facts: readonly ChoiceFact[];
  applies: string;
  not: string;
};

const CONDITIONS: Partial<Record<Applies, Condition>> = {
  lay: { facts: ['lay'], applies: 'Lay people use it.', not: 'No lay people use it.' },
  combined: {
    facts: ['combined'],
    applies: 'It works together with other devices or products.',
    not: 'It works alone.',
  },
  mobile: { facts: ['mobile'], applies: 'It runs on phones or tablets.', not: 'It runs on no mobile platform.' },
  measuring: { facts: ['measuring'], applies: 'It measures in units.', not: 'It has no measuring function.' },
  monitoring: {
    facts: ['monitoring'],
    applies: 'It monitors physiological processes.',
    not: 'It monitors no physiological process.',
  },
  diagnostic: {
    facts: ['measuring', 'decisions', 'monitoring'],
    applies: 'It measures, monitors, or informs decisions on diagnosis or therapy.',
    not: 'It neither measures nor monitors, and informs no decision on diagnosis or therapy.',
  },
};

function byCondition(facts: DeviceFacts, { facts: asked, applies, not }: Condition): Applicability {
  const values = asked.map((fact) => factOf(facts, fact));
  if (values.some((value) => value !== undefined && value !== 'no')) return { applies: 'yes', because: applies };
  const open = asked.filter((_, at) => values[at] === undefined);
  if (open.length === 0) return { applies: 'no', because: not };
  const labels = open.map((fact) => CHOICES[fact].label.toLowerCase()).join(', ');
  return { applies: 'open', because: `To decide once this is known: ${labels}.` };
}

/** The summary of Article 32 is for class III (and for implants, which software is not). */
function bySummary(facts: DeviceFacts): Applicability {
  const { class: found } = classInEu(facts);
  if (found === null)
    return { applies: 'open', because: 'To decide once the class is known: it applies to class III.' };
  return found === 'III'
    ? { applies: 'yes', because: 'A class III device has a summary of safety and clinical performance.' }
    : { applies: 'no', because: `Article 32 asks it of class III and of implants; the class is ${found}.` };
}

/** Whether a requirement applies to software with these facts, and why. */
export function applicabilityOf(applies: Applies, facts: DeviceFacts): Applicability {
  const never = NOT_OF_SOFTWARE[applies];
  if (never) return { applies: 'no', because: never };
  if (applies === 'summary') return bySummary(facts);
  const condition = CONDITIONS[applies];
  return condition
    ? byCondition(facts, condition)
    : { applies: 'yes', because: 'It applies to every device, software among them.' };
}
