import type { ListedHazards, LogHazard, ReadLog } from './logModel.ts';

/** A line that begins with a bullet or a number. */
const BULLET = /^\s*(?:[-–•*·▪◦‣]|\(?\d{1,2}[.)])\s+(?=\S)/;
/** "1) Wrong dose 2) Lost dose" in one line. */
const NUMBER_INSIDE = /(?:^|\s)\(?(\d{1,2})[.)]\s+/g;
/** A longer text is no list of names. */
const MAX_LENGTH = 2000;
const MAX_LISTED = 50;

/** The hazards that a cell lists as bullets or numbered lines; none where it names one. */
export function listHazardsIn(text: string): string[] {
  if (text.length > MAX_LENGTH) return [];
  const lines = text.split('\n').filter((line) => line.trim());
  if (lines.length > 1)
    return lines.length <= MAX_LISTED && lines.every((line) => BULLET.test(line))
      ? lines.map((line) => line.replace(BULLET, '').trim())
      : [];
  const marks = [...text.trim().matchAll(NUMBER_INSIDE)];
  if (marks.length < 2 || marks[0]?.index !== 0 || marks.some(([, number], at) => Number(number) !== at + 1)) return [];
  const names = text
    .trim()
    .split(/(?:^|\s)\(?\d{1,2}[.)]\s+/)
    .map((name) => name.replace(/[;,]$/, '').trim())
    .filter(Boolean);
  return names.length === marks.length && names.every((name) => /\p{L}{3}/u.test(name)) ? names : [];
}

/** The lists among the first rows of hazards. A row with as many ids as lines in its name lists them as well. */
export function findListedHazards(
  { text, has }: Pick<ReadLog, 'text' | 'has'>,
  groups: readonly number[][],
): ListedHazards[] {
  return groups.flatMap(([row = 0]) => {
    const given = text(row, 'name') || (has('name') ? '' : text(row, 'description'));
    if (!given) return [];
    const ids = text(row, 'id')
      .split(/[\n,;]+/)
      .map((id) => id.trim())
      .filter(Boolean);
    const bullets = listHazardsIn(given);
    const lines = given.split('\n').flatMap((line) => line.trim() || []);
    const names = bullets.length > 0 ? bullets : ids.length > 1 && ids.length === lines.length ? lines : [];
    return names.length === 0 ? [] : [{ row, names, ids: ids.length === names.length ? ids : [] }];
  });
}

/** One hazard for each name of a list; the row's other cells apply to all of them. */
export const splitHazard = (hazard: LogHazard, { names, ids }: ListedHazards): LogHazard[] =>
  names.map((name, at) => ({
    ...hazard,
    id: ids[at] ?? `${hazard.id} (${at + 1})`,
    name,
    ...(hazard.hasId ? { furtherIds: [hazard.id, ...ids, ...(hazard.furtherIds ?? [])] } : {}),
  }));
