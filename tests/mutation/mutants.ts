import { createHash } from 'node:crypto';
import { type Change, OPERATORS } from './operators.ts';
import { bare, childrenOf, methodOf, type Node, parse } from './syntax.ts';

/** The part that is switched between source and mutant: the smallest one that can be an expression or a statement. */
export type Host = { kind: 'expression' | 'statement' | 'property' | 'element'; start: number; end: number };
/** A fault inserted into a source file. Its id stays the same as long as its line does. */
export type Mutant = {
  id: string;
  /** The number that activates it in this run's copy. */
  number: number;
  file: string;
  line: number;
  operator: string;
  change: Change;
  host: Host;
  /** The line (or lines) of the source, and their mutated form. */
  before: string;
  becomes: string;
};

/** Calls that query or write the store; their object arguments are filters or updates. */
const STORE_CALL = /^(find|update|delete|count|exists|aggregate|distinct|replaceOne)/;
const TESTED = new Set(['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement', 'ForStatement']);

const hostOf = (kind: Host['kind'], { start, end }: Node): Host => ({ kind, start, end });
const removal = (operator: string, { start, end }: Node): Change => ({ operator, start, end, text: '' });

/** Inside `a?.b(c).d` nothing can be put in parentheses, so the chain is switched as a whole. */
function hostExpression(node: Node): Node {
  for (let at: Node | null = node; at; at = at.parent) {
    if (at.type === 'ChainExpression') return at;
    const isLink = at.parent && (at.field === 'callee' || at.field === 'object' || at.field === 'expression');
    if (!isLink || !/^(Call|Member|Chain|TSNonNull)Expression$/.test(at.parent!.type)) return node;
  }
  return node;
}

const isTest = ({ field, parent }: Node) => field === 'test' && parent !== null && TESTED.has(parent.type);

/** Whether a node is a test, or one of its parts if all parts are joined by the same operator. */
function isPartOfTest(node: Node): boolean {
  let at = node;
  let joint: string | undefined;
  while (!isTest(at) && at.parent) {
    const { type, operator } = at.parent;
    if (type === 'LogicalExpression') {
      if (operator === '??' || (joint && operator !== joint)) return false;
      joint = operator;
    } else if (bare(at.parent) === at.parent) return false;
    at = at.parent;
  }
  return isTest(at);
}

const isLog = (node: Node) =>
  node.type === 'CallExpression' && /^(logger|console)$/.test(bare(node.callee?.object ?? node).name ?? '');

/** `${count} ${count === 1 ? 'ticket' : 'tickets'}`: which word is shown does not count as behaviour. */
const isWording = ({ type, parent, consequent, alternate }: Node) =>
  type === 'ConditionalExpression' &&
  parent?.type === 'TemplateLiteral' &&
  [consequent, alternate].every((part) => part && (typeof part.value === 'string' || part.type === 'TemplateLiteral'));

/** Whether the object is a filter, an update or a pipeline stage for the store. */
function isForStore(object: Node): boolean {
  const keys = (object.properties ?? []).map(({ key }) => key?.name ?? String(key?.value ?? ''));
  if (keys.some((key) => key.startsWith('$'))) return true;
  for (let at = object; at.parent; at = at.parent) {
    if (at.parent.type === 'CallExpression') {
      return at.field === 'arguments' && STORE_CALL.test(methodOf(at.parent) ?? '');
    }
    if (!/^(ObjectExpression|ArrayExpression|Property|SpreadElement)$/.test(at.parent.type)) {
      if (bare(at.parent) === at.parent) return false;
    }
    if (at.parent.type === 'ObjectExpression' && isForStore(at.parent)) return true;
  }
  return false;
}

/** If an object has only this property, the object's parent is mutated instead. */
const isOnlyPart = ({ parent, properties }: Node) =>
  properties?.length === 1 && (parent?.type === 'Property' || parent?.type === 'ArrayExpression');

function storeParts(node: Node): [Host, Change][] {
  if (node.type === 'Property' && node.parent?.type === 'ObjectExpression' && isForStore(node.parent)) {
    return isOnlyPart(node.parent) ? [] : [[hostOf('property', node), removal('property removed', node)]];
  }
  const isElement = node.type === 'ObjectExpression' && node.parent?.type === 'ArrayExpression';
  return isElement && isForStore(node) ? [[hostOf('element', node), removal('element removed', node)]] : [];
}

function statement(node: Node): [Host, Change][] {
  if (node.type !== 'ExpressionStatement') return [];
  const it = bare(node.expression!);
  const done = it.type === 'AwaitExpression' ? bare(it.argument!) : it;
  const called = done.type === 'ChainExpression' ? done.expression! : done;
  const isCall = called.type === 'CallExpression' && called.callee?.type !== 'Super';
  const isSet = it.type === 'AssignmentExpression' && it.operator === '=' && it.left?.type === 'MemberExpression';
  return isCall || isSet ? [[hostOf('statement', node), removal('statement removed', node)]] : [];
}

/** Reading more or fewer fields does not count as behaviour. */
const isProjection = (node: Node) =>
  (node.field === 'value' && node.parent?.key?.name === 'projection') ||
  (node.parent?.arguments?.[1] === node && /^find(One|ById)?$/.test(methodOf(node.parent) ?? ''));

/** The column widths of a workbook do not count as behaviour. */
const isLayout = ({ type, parent }: Node) => type === 'ArrayExpression' && parent?.id?.name?.endsWith('WIDTHS');

/** Parts of a source that are not mutated: log calls, wordings, widths and random names. */
const isExcluded = (node: Node, textOf: (node: Node) => string) =>
  isLog(node) ||
  (node.type === 'ExpressionStatement' && isLog(bare(node.expression!))) ||
  (node.field === 'test' && isWording(node.parent!)) ||
  isProjection(node) ||
  isLayout(node) ||
  (node.type === 'CallExpression' && textOf(node).startsWith('Math.random()'));

/** A node and what is inside it, in source order, without what is not mutated. */
function walk(node: Node, textOf: (node: Node) => string, into: Node[] = []): Node[] {
  if (isExcluded(node, textOf)) return into;
  into.push(node);
  for (const child of childrenOf(node)) walk(child, textOf, into);
  return into;
}

const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The lines that a change touches, before and after. */
function linesOf(source: string, { start, end, text }: Change): { before: string; becomes: string } {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const until = source.indexOf('\n', end);
  const rest = source.slice(end, until < 0 ? source.length : until);
  return {
    before: squeeze(source.slice(from, end) + rest),
    becomes: squeeze(source.slice(from, start) + text + (text ? rest : rest.replace(/^,/, ''))),
  };
}

/** Tells the line of a place, from 1. It counts on from the place before, as places come nearly in order. */
function lineFinder(source: string): (at: number) => number {
  let [line, from] = [1, 0];
  return (at) => {
    if (at < from) [line, from] = [1, 0];
    for (let end = source.indexOf('\n', from); end !== -1 && end < at; end = source.indexOf('\n', from)) {
      line += 1;
      from = end + 1;
    }
    return line;
  };
}

/** Finds every mutant of a source file, in source order. */
export function findMutants(file: string, source: string): Mutant[] {
  const found: [Host, Change][] = [];
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  for (const node of walk(parse(file, source), textOf)) {
    const at = { node, textOf, isTest: isTest(node), isPartOfTest: isPartOfTest(node) };
    const changes = OPERATORS.flatMap((operator) => operator(at));
    if (changes.length > 0) {
      const host = hostOf('expression', hostExpression(node));
      found.push(...changes.map((change): [Host, Change] => [host, change]));
    }
    found.push(...statement(node), ...storeParts(node));
  }
  const seen = new Map<string, number>();
  const lineAt = lineFinder(source);
  return found.map(([host, change], index) => {
    const { before, becomes } = linesOf(source, change);
    const key = JSON.stringify([file, change.operator, before, becomes]);
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    const id = createHash('sha256').update(`${key}${occurrence}`).digest('base64url').slice(0, 10);
    const line = lineAt(change.start);
    return { id, number: index + 1, file, line, operator: change.operator, change, host, before, becomes };
  });
}
