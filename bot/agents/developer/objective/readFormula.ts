import type { Field, Token } from '../apps/app.ts';
import { readField } from './readFields.ts';

const SIGNS: readonly [RegExp, string][] = [
  [/\s(?:multiplied by|times|×)\s/gi, ' * '],
  [/\s(?:divided by|over|÷)\s/gi, ' / '],
  [/\s(?:minus|less|−)\s/gi, ' - '],
  [/\s(?:plus)\s/gi, ' + '],
];
const PIECE = /\s*(\d+(?:\.\d+)?|[-+*/()]|[\p{L}][\p{L}\d ]*)/uy;

/** Whether brackets close, and values and operators take turns. */
function isWellFormed(tokens: readonly Token[]): boolean {
  let [depth, needsValue] = [0, true];
  for (const { kind, text } of tokens) {
    if (text === '(' && kind === 'sign') {
      if (!needsValue) return false;
      depth += 1;
    } else if (text === ')' && kind === 'sign') {
      depth -= 1;
      if (needsValue || depth < 0) return false;
    } else if (kind === 'sign') {
      if (needsValue) return false;
      needsValue = true;
    } else {
      if (!needsValue) return false;
      needsValue = false;
    }
  }
  return depth === 0 && !needsValue;
}

/** A formula in words or signs, with the fields that it needs; null where it is none. */
export function readFormula(text: string): { fields: Field[]; formula: Token[] } | null {
  const words = SIGNS.reduce(
    (said, [pattern, sign]) => said.replace(pattern, sign),
    ` ${text.replace(/(?<![.\s])[.\s]+$/, '')} `,
  ).trim();
  const fields: Field[] = [];
  const tokens: Token[] = [];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < words.length) {
    const [, piece] = PIECE.exec(words) ?? [];
    if (piece === undefined) return null;
    if (/^[-+*/()]$/.test(piece)) tokens.push({ kind: 'sign', text: piece });
    else if (/^\d/.test(piece)) tokens.push({ kind: 'number', text: piece });
    else {
      const read = readField(piece.trim(), fields.length);
      if (!read) return null;
      const known = fields.find(({ label }) => label.toLowerCase() === read.label.toLowerCase());
      if (!known) fields.push({ ...read, type: 'number', options: [], isRequired: true });
      tokens.push({ kind: 'field', text: known?.id ?? read.id });
    }
  }
  return tokens.length > 1 && fields.length > 0 && isWellFormed(tokens) ? { fields, formula: tokens } : null;
}

/** A formula for people: "Price * Quantity + Delivery". */
export const describeFormula = (formula: readonly Token[], fields: readonly Field[]): string =>
  formula
    .map(({ kind, text }) => (kind === 'field' ? (fields.find(({ id }) => id === text)?.label ?? '') : text))
    .join(' ');
