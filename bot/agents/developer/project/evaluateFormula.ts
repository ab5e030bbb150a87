import type { Token } from '../apps/app.ts';

const STRENGTH: Record<string, number> = { '+': 1, '-': 1, '*': 2, '/': 2 };

const apply = (sign: string, left: number, right: number): number => {
  if (sign === '+') return left + right;
  if (sign === '-') return left - right;
  return sign === '*' ? left * right : left / right;
};

/** Works a formula out by two stacks, apart from the app's own code, so that its test has a value to compare with. */
export function evaluateFormula(formula: readonly Token[], values: Readonly<Record<string, number>>): number {
  const numbers: number[] = [];
  const signs: string[] = [];
  const reduce = () => {
    const [right = Number.NaN, left = Number.NaN] = [numbers.pop(), numbers.pop()];
    numbers.push(apply(signs.pop() ?? '+', left, right));
  };
  for (const { kind, text } of formula) {
    if (kind === 'number') numbers.push(Number(text));
    else if (kind === 'field') numbers.push(values[text] ?? Number.NaN);
    else if (text === '(') signs.push(text);
    else if (text === ')') {
      while (signs.length > 0 && signs.at(-1) !== '(') reduce();
      signs.pop();
    } else {
      while (signs.length > 0 && (STRENGTH[signs.at(-1) ?? ''] ?? 0) >= (STRENGTH[text] ?? 0)) reduce();
      signs.push(text);
    }
  }
  while (signs.length > 0) reduce();
  return numbers[0] ?? Number.NaN;
}
