import { bare, methodOf, type Node } from './syntax.ts';

/** One way to mutate a node: the text that replaces a part of the source. */
export type Change = { operator: string; start: number; end: number; text: string };
/** The node that an operator looks at, in its context. */
export type At = {
  node: Node;
  textOf: (node: Node) => string;
  /** Whether the node is the condition of an `if`, a ternary or a loop. */
  isTest: boolean;
  /** Whether the node is a condition, or a part of one whose parts are all joined by the same operator. */
  isPartOfTest: boolean;
};
type Operator = (at: At) => Change[];

const replace = (operator: string, node: { start: number; end: number }, text: string): Change => ({
  operator,
  start: node.start,
  end: node.end,
  text,
});
const between = (operator: string, node: Node, text: string): Change =>
  replace(operator, { start: node.left!.end, end: node.right!.start }, ` ${text} `);

const BOUNDARIES: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const EQUALITIES: Record<string, string> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const ARITHMETIC: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };
const ASSIGNMENTS: Record<string, string> = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' };
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);
const MATHS = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['round', 'floor'],
]);
const DROPPED_CALLS = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'trim', 'toLowerCase', 'limit']);
/** Cells of the permission tables. */
const VERDICTS = new Map([
  ['yes', 'no'],
  ['no', 'yes'],
  ['own', 'yes'],
  ['while-none', 'yes'],
]);

const LOOPS = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement']);

const isText = (node: Node): boolean => {
  const it = bare(node);
  if (it.type === 'BinaryExpression' && it.operator === '+') return isText(it.left!) || isText(it.right!);
  return it.type === 'TemplateLiteral' || (it.type === 'Literal' && typeof it.value === 'string');
};

/**
 * Yields `true` or `false` for a condition only where no other mutant implies it: a test that notices `a <= b` for `a <
 * b`, or `a` for `a && b`, notices `true` as well.
 */
function verdictsOf(node: Node): string[] {
  const it = bare(node);
  if (it.operator === '&&' || it.operator === '<' || it.operator === '>') return ['false'];
  if (it.operator === '||' || it.operator === '<=' || it.operator === '>=') return ['true'];
  return ['true', 'false'];
}

/** A loop's condition never becomes `true`, which would run for ever. */
const condition: Operator = ({ node, isTest }) =>
  isTest && node.type !== 'Literal'
    ? verdictsOf(node)
        .filter((verdict) => verdict === 'false' || !LOOPS.has(node.parent!.type))
        .map((verdict) => replace('condition', node, verdict))
    : [];

const comparison: Operator = ({ node, isPartOfTest }) => {
  if (node.type !== 'BinaryExpression') return [];
  const boundary = BOUNDARIES[node.operator!];
  if (boundary) return [between('boundary', node, boundary)];
  const equality = EQUALITIES[node.operator!];
  return equality && !isPartOfTest ? [between('equality', node, equality)] : [];
};

/** Leaves out each part of `a && b && c` in turn. */
const logical: Operator = ({ node, textOf }) => {
  if (node.type !== 'LogicalExpression') return [];
  const [left, right] = [node.left!, node.right!];
  if (node.operator === '??') {
    const empty = /^(null|undefined)$/.test(textOf(right));
    return [
      ...(empty ? [] : [replace('fallback dropped', node, textOf(left))]),
      replace('fallback taken', node, textOf(right)),
    ];
  }
  // In a chain, the node on the left handles the other parts.
  const isChained = left.type === 'LogicalExpression' && left.operator === node.operator;
  const alone = isChained ? [left] : [left, right];
  return alone.map((part) => replace('part dropped', node, textOf(part)));
};

const negation: Operator = ({ node, textOf, isPartOfTest }) =>
  node.type === 'UnaryExpression' && node.operator === '!' && !isPartOfTest
    ? [replace('negation', node, textOf(node.argument!))]
    : [];

const arithmetic: Operator = ({ node }) => {
  if (node.type === 'AssignmentExpression') {
    if (node.operator === '??=') return [between('fallback taken', node, '=')];
    const other = ASSIGNMENTS[node.operator!];
    return other && !isText(node.right!) ? [between('arithmetic', node, other)] : [];
  }
  const other = node.type === 'BinaryExpression' ? ARITHMETIC[node.operator!] : undefined;
  return other && !isText(node) ? [between('arithmetic', node, other)] : [];
};

/** Small numbers change by one, large ones and fractions double and halve. */
const literal: Operator = ({ node }) => {
  if (node.type !== 'Literal') return [];
  if (typeof node.value === 'boolean') return [replace('boolean', node, String(!node.value))];
  if (typeof node.value === 'string') {
    const other = VERDICTS.get(node.value);
    return other ? [replace('verdict', node, `'${other}'`)] : [];
  }
  if (typeof node.value !== 'number') return [];
  const value = node.value;
  if (value === 0) return [replace('number', node, '1')];
  const others = Number.isInteger(value) && value < 100 ? [value + 1, value - 1] : [value * 2, value / 2];
  return others.map((other) => replace('number', node, String(other)));
};

const call: Operator = ({ node, textOf }) => {
  const method = methodOf(node);
  if (!method) return [];
  const { object, property } = node.callee as { object: Node; property: Node };
  if (DROPPED_CALLS.has(method)) {
    // `a?.filter(b).length` becomes `a?.length`.
    const goesOn = node.callee?.optional && node.field === 'object' && !node.parent?.computed;
    return [replace(`${method} dropped`, node, textOf(object) + (goesOn ? '?' : ''))];
  }
  const other = (object.name === 'Math' ? MATHS : METHODS).get(method);
  return other ? [replace('method', property, other)] : [];
};

/** The operators for expressions. */
export const OPERATORS: Operator[] = [condition, comparison, logical, negation, arithmetic, literal, call];
