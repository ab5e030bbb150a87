import type { Collator } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { type Doc, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import type { Fold } from '../keys/document.ts';

const isFlag = (value: Value): boolean => typeof value === 'boolean' || isNumber(value);

const SENSITIVITY = [undefined, 'base', 'accent', 'variant'] as const;

/** The values that fields of a collation may have; others are refused, as are fields that are not here. */
const FIELDS: Record<string, (value: Value) => boolean> = {
  locale: (value) => typeof value === 'string',
  strength: (value) => [1, 2, 3, 4, 5].includes(toNumber(value)),
  caseLevel: isFlag,
  numericOrdering: isFlag,
  normalization: isFlag,
  backwards: (value) => !truthy(value),
  caseFirst: (value) => ['upper', 'lower', 'off'].includes(String(value)),
  alternate: (value) => ['non-ignorable', 'shifted'].includes(String(value)),
  maxVariable: (value) => ['punct', 'space'].includes(String(value)),
  version: (value) => typeof value === 'string',
};

function checkFields(collation: Doc): void {
  for (const [field, value] of collation) {
    const fits = Object.hasOwn(FIELDS, field)
      ? FIELDS[field]!
      : fail(40415, `'collation.${field}' is an unknown field.`);
    if (!fits(value))
      fail(field === 'strength' ? 'FailedToParse' : 'BadValue', `'collation.${field}' cannot be ${show(value)}`);
  }
}

const strengthOf = (collation: Doc): number => (collation.has('strength') ? toNumber(collation.get('strength')) : 3);

/** The comparison of strings that a collation document asks for; undefined for the simple one. */
export function collatorFor(collation: Value): Collator {
  if (collation === undefined || collation === null) return undefined;
  if (!isDoc(collation)) fail('TypeMismatch', "The field 'collation' must be an object");
  const locale = collation.get('locale');
  if (collation.size === 0 || locale === 'simple') return undefined;
  if (typeof locale !== 'string') refuse("Field 'locale' is missing or no string in: collation");
  checkFields(collation);
  const strength = strengthOf(collation);
  const caseFirst = collation.get('caseFirst');
  try {
    return new Intl.Collator(locale.replace(/@.*$/, '').replaceAll('_', '-'), {
      sensitivity: strength === 1 && truthy(collation.get('caseLevel')) ? 'case' : SENSITIVITY[strength] || 'variant',
      numeric: truthy(collation.get('numericOrdering')),
      caseFirst: caseFirst === 'upper' || caseFirst === 'lower' ? caseFirst : 'false',
      ignorePunctuation: collation.get('alternate') === 'shifted',
    }).compare;
  } catch {
    refuse(`Field 'locale' is invalid in: { locale: "${locale}" }`);
  }
}

/**
 * Folds strings so that those differing only in case, accents or Unicode normalisation become equal, where the
 * collation treats them as equal. Other equalities (numbers in text, spaces, ß and ss) are not folded: such an index
 * accepts both values. Its order is never used.
 */
export function foldFor(collation: Doc): Fold {
  if (!collatorFor(collation)) return undefined;
  const strength = strengthOf(collation);
  const caseless = strength <= 2 && !truthy(collation.get('caseLevel'));
  const foldText = (text: string): string => {
    const plain = strength === 1 ? text.normalize('NFD').replace(/\p{M}/gu, '') : text.normalize('NFC');
    return caseless ? plain.toLowerCase() : plain;
  };
  const fold = (value: Value): Value => {
    if (typeof value === 'string') return foldText(value);
    if (Array.isArray(value)) return value.map(fold);
    if (isDoc(value)) return new Map([...value].map(([name, item]) => [name, fold(item)]));
    return value;
  };
  return fold;
}
