import type { ReadLog } from './logModel.ts';
import { sameId, sameName } from './readHazards.ts';

/** Headings of parts of a product, which may each count their ids from 1. */
const MODULE = /\b(?:modules?|products?|components?|areas?|systems?|applications?|apps?)\b/i;
/** At least this many ids have to occur in several modules: a single one is more likely a mistake. */
const MIN_SHARED = 2;

/**
 * The module of each row, for a log whose modules each count their ids from 1; null for any other. A blank cell belongs
 * to the module above. Each module has to stand in one piece, with two ids or more that another one has too.
 */
export function readModules(
  { table, text }: Pick<ReadLog, 'table' | 'text'>,
  dataRows: readonly number[],
): ReadonlyMap<number, string> | null {
  const column = table.columns.find(({ canonical }) => canonical === 'type');
  if (!column || !MODULE.test(column.header)) return null;
  const modules = new Map<number, string>();
  const idsOf = new Map<string, Set<string>>();
  let last = '';
  for (const row of dataRows) {
    const module = sameName(text(row, 'type')) || last;
    if (module !== last && idsOf.has(module)) return null;
    last = module;
    modules.set(row, module);
    const ids = idsOf.get(module) ?? new Set();
    const id = sameId(text(row, 'id'));
    if (id) ids.add(id);
    idsOf.set(module, ids);
  }
  const times = new Map<string, number>();
  for (const ids of idsOf.values()) for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  return [...times.values()].filter((count) => count > 1).length >= MIN_SHARED ? modules : null;
}
