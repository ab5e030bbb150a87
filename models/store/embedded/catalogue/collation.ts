import type { Collator } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { Fold } from '../keys/document.ts';

const SENSITIVITY = [undefined, 'base', 'accent', 'variant'] as const;

/** The comparison of strings that a collation document asks for; undefined for the simple one. */
export function collatorFor(collation: Value): Collator {
  if (collation === undefined || collation === null) return undefined;
  if (!isDoc(collation)) fail('TypeMismatch', "The field 'collation' must be an object");
  if (collation.size === 0) return undefined;
  const locale = collation.get('locale');
  if (typeof locale !== 'string') fail('BadValue', "Field 'locale' is missing or no string in: collation");
  if (locale === 'simple') return undefined;
  const strength = isNumber(collation.get('strength')) ? toNumber(collation.get('strength')) : 3;
  if (!(strength >= 1 && strength <= 5))
    fail('FailedToParse', `Field 'strength' must be an integer 1 through 5. Got: ${strength}`);
  const caseLevel = truthy(collation.get('caseLevel'));
  const caseFirst = collation.get('caseFirst');
  try {
    const collator = new Intl.Collator(locale.replace(/@.*$/, '').replaceAll('_', '-'), {
      sensitivity: strength === 1 && caseLevel ? 'case' : SENSITIVITY[strength] || 'variant',
      numeric: truthy(collation.get('numericOrdering')),
      caseFirst: caseFirst === 'upper' || caseFirst === 'lower' ? caseFirst : 'false',
      ignorePunctuation: collation.get('alternate') === 'shifted',
    });
    return (a, b) => collator.compare(a, b);
  } catch {
    fail('BadValue', `Field 'locale' is invalid in: { locale: "${locale}" }`);
  }
}

/**
 * Folds strings so that those equal under the collation become the same text. Enough for equality and uniqueness; the
 * order of a folded index is never used.
 */
export function foldFor(collation: Doc): Fold {
  const collator = collatorFor(collation);
  if (!collator) return undefined;
  const strength = isNumber(collation.get('strength')) ? toNumber(collation.get('strength')) : 3;
  const caseLevel = truthy(collation.get('caseLevel'));
  const foldText = (text: string): string => {
    let out = text.normalize('NFC');
    if (strength === 1) out = out.normalize('NFD').replace(/\p{M}/gu, '');
    if (strength <= 2 && !caseLevel) out = out.toLowerCase();
    return out;
  };
  const fold = (value: Value): Value => {
    if (typeof value === 'string') return foldText(value);
    if (Array.isArray(value)) return value.map(fold);
    if (isDoc(value)) return new Map([...value].map(([name, item]) => [name, fold(item)]));
    return value;
  };
  return fold;
}
