import { type ChoiceFact, type DeviceFacts, factOf } from '../facts/facts.ts';
import { type AppliedRule, type DeviceClass, highest, isDeviceClass, type Reasoned } from './deviceClass.ts';

type Gives = (facts: DeviceFacts) => Omit<AppliedRule, 'rule'> | 'missing' | null;

/** A rule: what it gives for the facts, null where it does not apply, or that a fact is missing. */
type ClassRule = { rule: string; gives: Gives };

const isDecisive = (value: string | undefined) => value !== undefined && value !== 'no';

const HARM: Record<string, { gives: DeviceClass; because: string }> = {
  death: {
    gives: 'III',
    because: 'decisions on its information may cause death or an irreversible deterioration of health',
  },
  serious: {
    gives: 'IIb',
    because: 'decisions on its information may cause a serious deterioration of health or surgery',
  },
  less: { gives: 'IIa', because: 'it gives information for decisions on diagnosis or therapy' },
};

const DANGER: Omit<AppliedRule, 'rule'> = {
  gives: 'IIb',
  because: 'it monitors vital parameters whose variation could mean immediate danger',
};

const driven =
  (text: string): Gives =>
  (facts) => {
    const value = factOf(facts, 'driven');
    if (value === undefined) return 'missing';
    return isDeviceClass(value)
      ? { gives: value, because: `it drives or influences a device of class ${value} (${text})` }
      : null;
  };

/** Annex VIII of MDR 2017/745: rule 11 and the implementing rule 3.3. */
const EU_RULES: readonly ClassRule[] = [
  { rule: 'Annex VIII, 3.3', gives: driven('software takes the class of the device that it drives') },
  {
    rule: 'Rule 11, first part',
    gives(facts) {
      const decisions = factOf(facts, 'decisions');
      if (decisions === undefined) return 'missing';
      if (!isDecisive(decisions)) return null;
      return HARM[factOf(facts, 'harm') ?? ''] ?? 'missing';
    },
  },
  {
    rule: 'Rule 11, second part',
    gives(facts) {
      const monitoring = factOf(facts, 'monitoring');
      if (monitoring === undefined) return 'missing';
      if (monitoring === 'danger') return DANGER;
      return monitoring === 'no' ? null : { gives: 'IIa', because: 'it monitors physiological processes' };
    },
  },
];

/** The rules for active devices in Great Britain: Annex IX of Directive 93/42/EEC as UK MDR 2002 applies it. */
const UK_RULES: readonly ClassRule[] = [
  { rule: 'Annex IX, 2.3', gives: driven('software falls in the class of the device that it drives') },
  {
    rule: 'Rule 10, direct diagnosis',
    gives(facts) {
      const decisions = factOf(facts, 'decisions');
      if (decisions === undefined) return 'missing';
      if (decisions !== 'diagnosis' && decisions !== 'both') return null;
      const significance = factOf(facts, 'significance');
      if (significance === undefined) return 'missing';
      return significance === 'diagnose'
        ? { gives: 'IIa', because: 'it allows direct diagnosis: it diagnoses by itself' }
        : null;
    },
  },
  {
    rule: 'Rule 10, monitoring',
    gives(facts) {
      const monitoring = factOf(facts, 'monitoring');
      if (monitoring === undefined) return 'missing';
      if (monitoring === 'danger') return DANGER;
      return monitoring === 'vital' ? { gives: 'IIa', because: 'it monitors vital physiological processes' } : null;
    },
  },
];

const OTHERWISE = {
  eu: { rule: 'Rule 11, third part', because: 'no other part of the rule applies' },
  uk: { rule: 'Rule 12', because: 'it is an active device to which no other rule applies' },
} as const;

/** The lowest class that a rule with a missing fact can still give. */
const leastOf = (facts: DeviceFacts, rule: string): DeviceClass | null =>
  rule === 'Rule 11, first part' && isDecisive(factOf(facts, 'decisions')) ? 'IIa' : null;

function apply(
  rules: readonly ClassRule[],
  facts: DeviceFacts,
  otherwise: { rule: string; because: string },
): Reasoned {
  const outcomes = rules.map(({ rule, gives }) => ({ rule, outcome: gives(facts) }));
  const applied = outcomes.flatMap(({ rule, outcome }) =>
    outcome === null || outcome === 'missing' ? [] : [{ rule, ...outcome }],
  );
  const isMissing = outcomes.some(({ outcome }) => outcome === 'missing');
  const least = outcomes.flatMap(({ rule, outcome }) => (outcome === 'missing' ? (leastOf(facts, rule) ?? []) : []));
  const top = highest(applied.map(({ gives }) => gives));
  // Nothing is higher than III, so a missing fact can't change it.
  if (isMissing && top !== 'III')
    return { class: null, atLeast: highest([...(top ? [top] : []), ...least]), rules: applied };
  const found: AppliedRule[] = applied.length > 0 ? applied : [{ ...otherwise, gives: 'I' }];
  const result = top ?? 'I';
  return { class: result, atLeast: result, rules: found };
}

/** The class under MDR 2017/745. */
export const classInEu = (facts: DeviceFacts): Reasoned => apply(EU_RULES, facts, OTHERWISE.eu);

/** The class in Great Britain under UK MDR 2002. */
export const classInUk = (facts: DeviceFacts): Reasoned => apply(UK_RULES, facts, OTHERWISE.uk);

/** The class in the table of MDCG 2019-11; undefined while a fact is missing. It is guidance beside the rule. */
export function classInTable(facts: DeviceFacts): DeviceClass | undefined {
  const [significance, condition] = [factOf(facts, 'significance'), factOf(facts, 'condition')];
  if (significance === undefined || condition === undefined || !isDecisive(factOf(facts, 'decisions')))
    return undefined;
  const row = TABLE[significance];
  return row?.[condition];
}

const TABLE: Record<string, Record<string, DeviceClass>> = {
  diagnose: { critical: 'III', serious: 'IIb', minor: 'IIa' },
  drive: { critical: 'IIb', serious: 'IIa', minor: 'IIa' },
  inform: { critical: 'IIa', serious: 'IIa', minor: 'IIa' },
};

/** The facts that rules of class ask for, in the order of the rules. */
export const CLASS_FACTS: readonly ChoiceFact[] = ['driven', 'decisions', 'harm', 'monitoring'];
export const UK_CLASS_FACTS: readonly ChoiceFact[] = ['driven', 'decisions', 'significance', 'monitoring'];
