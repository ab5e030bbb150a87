import { createHash } from 'node:crypto';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { toOneLine } from '../../../models/contracts/oneLine.ts';
import type { ToolChange } from '../../../models/contracts/toolServers.ts';
import { isWellFormed } from '../../../models/contracts/wellFormed.ts';
import type { Declaration, ServerToolRow } from '../../../models/toolServer.ts';

/** A tool in the answer to `tools/list`. */
export type ListedTool = {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: object;
  annotations?: object | undefined;
};

const { tools: MAX_TOOLS, toolName, description: MAX_DESCRIPTION, schema: MAX_SCHEMA } = LIMITS.toolServers;

/** JSON with sorted keys, so that a server may send them in any order. */
const toSortedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/** What a server declares of a tool, with its digest. */
export function declarationOf({ name, title, description, inputSchema, annotations }: ListedTool): Declaration {
  const declared = {
    title: title ?? '',
    description: description ?? '',
    schema: toSortedJson(inputSchema),
    annotations: toSortedJson(annotations ?? {}),
  };
  return {
    ...declared,
    digest: createHash('sha256')
      .update(toSortedJson({ name, ...declared }))
      .digest('hex'),
  };
}

const fits = (name: string, { title, description, schema, annotations }: Declaration) =>
  name !== '' &&
  isWellFormed(name) &&
  // Two names that look the same are one to the owner who allows them.
  toOneLine(name) === name &&
  name.length <= toolName &&
  title.length <= toolName &&
  description.length <= MAX_DESCRIPTION &&
  schema.length <= MAX_SCHEMA &&
  annotations.length <= MAX_DESCRIPTION;

/**
 * The tools of a server after it was asked again: new ones are off, and one that it does not list any more is
 * forgotten, so that it is new when it returns.
 * @returns the tools, and how many can't be used because they exceed a limit, share a name, or have a
 *   name that can't be shown as it is
 */
export function mergeTools(
  known: readonly ServerToolRow[],
  listed: readonly ListedTool[],
): { tools: ServerToolRow[]; leftOut: number } {
  const before = new Map(known.map((tool) => [tool.name, tool]));
  const tools = new Map<string, ServerToolRow>();
  for (const one of listed) {
    const declared = declarationOf(one);
    const { allowed = null, isOn = false } = before.get(one.name) ?? {};
    if (tools.size < MAX_TOOLS && fits(one.name, declared) && !tools.has(one.name))
      tools.set(one.name, { name: one.name, declared, allowed, isOn });
  }
  return { tools: [...tools.values()], leftOut: listed.length - tools.size };
}

/** Whether a tool may be used: switched on, and declared as it was allowed. */
export const isOn = ({ declared, allowed, isOn: switched }: ServerToolRow): boolean =>
  switched && allowed?.digest === declared.digest;

/** `changed`: switched on, but not declared as it was allowed. */
export const stateOf = (tool: ServerToolRow): 'on' | 'off' | 'changed' =>
  isOn(tool) ? 'on' : tool.isOn ? 'changed' : 'off';

/** Whether a server says that a tool only reads. Anything else is a tool that writes. */
export function isReading({ annotations }: Declaration): boolean {
  const hints = JSON.parse(annotations) as { readOnlyHint?: unknown };
  return hints.readOnlyHint === true;
}

/** How a tool's declaration differs from the allowed one. */
export function changesOf({ declared, allowed }: ServerToolRow): ToolChange[] {
  if (!allowed) return [];
  const parts = [
    ['title', 'title'],
    ['description', 'description'],
    ['arguments', 'schema'],
    ['hints', 'annotations'],
  ] as const;
  return parts.flatMap(([what, part]) =>
    allowed[part] === declared[part] ? [] : [{ what, before: allowed[part], after: declared[part] }],
  );
}
