import { parseSync } from 'vite';

/** A node of the syntax tree (ESTree with TypeScript), with the fields that the operators look at. */
export type Node = {
  type: string;
  start: number;
  end: number;
  parent: Node | null;
  /** The field of the parent that holds this node. */
  field: string;
  operator?: string;
  name?: string;
  value?: unknown;
  raw?: string;
  kind?: string;
  computed?: boolean;
  optional?: boolean;
  left?: Node;
  right?: Node;
  test?: Node | null;
  consequent?: Node;
  alternate?: Node | null;
  argument?: Node | null;
  callee?: Node;
  arguments?: Node[];
  object?: Node;
  property?: Node;
  expression?: Node;
  properties?: Node[];
  elements?: (Node | null)[];
  key?: Node;
  id?: Node;
  quasis?: Node[];
};

/** Nodes that wrap an expression in type syntax; the expression inside is run. */
const TYPED_EXPRESSIONS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
const NEVER_RUN = new Set(['ImportDeclaration', 'ImportExpression', 'ExportAllDeclaration', 'MetaProperty']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' && 'start' in value;

/** In `a.name` and `{ name: … }` the name is not an expression. */
const isName = (node: Node, field: string) =>
  (field === 'key' || (field === 'property' && node.type === 'MemberExpression')) && !node.computed;

const isRun = ({ type }: Node): boolean =>
  (!type.startsWith('TS') || TYPED_EXPRESSIONS.has(type)) && !NEVER_RUN.has(type);

/** The children of a node that are run, in source order. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const [field, value] of Object.entries(node)) {
    if (typeof value !== 'object' || field === 'parent' || isName(node, field)) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child) && isRun(child)) {
        child.field = field;
        child.parent = node;
        children.push(child);
      }
  }
  return children.sort((one, other) => one.start - other.start);
}

/**
 * Parses a TypeScript source with Vite's parser, because TypeScript 7 has no stable parser API.
 * @throws if the source is not valid
 */
export function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source, { lang: 'ts', sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return Object.assign(program as unknown as Node, { parent: null, field: '' });
}

/** The expression without the parentheses and types around it. */
export function bare(node: Node): Node {
  const inside = node.type === 'ParenthesizedExpression' || TYPED_EXPRESSIONS.has(node.type);
  return inside && node.expression ? bare(node.expression) : node;
}

/** The name of the called method; `undefined` for a plain function. */
export const methodOf = (node: Node): string | undefined =>
  node.type === 'CallExpression' && node.callee?.type === 'MemberExpression' && !node.callee.computed
    ? node.callee.property?.name
    : undefined;
