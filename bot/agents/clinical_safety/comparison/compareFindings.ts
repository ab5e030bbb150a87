import type { Comparison } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { ExistingHazard, Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { sameId } from '../reading/readHazards.ts';
import { inSlices } from './inSlices.ts';

/** A finding with its subject: hazards by an identity that both versions share, or the whole log. */
type Located = { finding: Finding; subjects: string[] };
type Identity = ReadonlyMap<ExistingHazard, string>;

const LOG = 'log';
/** First and last row of a cell or of a range: "B2", "R2:R10", "row 7". */
function rowsOf(cell: string): [first: number, last: number] {
  const [first = 0, last = first] = [...cell.matchAll(/\d+/g)].map(([row]) => Number(row));
  return [first, last];
}

/** The hazards of a version: those of a range of rows, and by their ids. */
type Known = {
  inRows: (sheet: string, first: number, last: number) => ExistingHazard[];
  byId: ReadonlyMap<string, ExistingHazard[]>;
  identity: Identity;
};

/** Finds hazards by rows, without looking at each for each finding: a finding on a whole column has many places. */
function indexRows(hazards: readonly ExistingHazard[]): Known['inRows'] {
  const sheets = new Map<string, { hazards: ExistingHazard[]; reach: number[] }>();
  for (const hazard of [...hazards].sort((one, other) => one.rows.first - other.rows.first)) {
    const sheet = sheets.get(hazard.rows.sheet) ?? { hazards: [], reach: [] };
    sheets.set(hazard.rows.sheet, sheet);
    sheet.hazards.push(hazard);
    // The last row that this hazard or one before it reaches.
    sheet.reach.push(Math.max(hazard.rows.last, sheet.reach.at(-1) ?? 0));
  }
  return (name, first, last) => {
    const sheet = sheets.get(name);
    if (!sheet) return [];
    let [low, high] = [0, sheet.reach.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sheet.reach[middle] as number) < first) low = middle + 1;
      else high = middle;
    }
    const found: ExistingHazard[] = [];
    for (let at = low; at < sheet.hazards.length; at += 1) {
      const hazard = sheet.hazards[at] as ExistingHazard;
      if (hazard.rows.first > last) break;
      if (hazard.rows.last >= first) found.push(hazard);
    }
    return found;
  };
}

/** The hazards that a finding is about: the one that it names, or those in whose rows its cells are. */
function subjectsOf({ hazardId, places }: Finding, { inRows, byId, identity }: Known): string[] {
  const named = hazardId === null ? [] : (byId.get(sameId(hazardId)) ?? []);
  const located = () => new Set(places.flatMap(({ sheet, cell }) => inRows(sheet, ...rowsOf(cell))));
  // Two hazards may have one id: the cells tell which one is meant.
  const found = named.length === 1 ? named : [...located()].filter((it) => hazardId === null || named.includes(it));
  const subjects = (found.length > 0 ? found : named).flatMap((it) => identity.get(it) ?? []);
  return subjects.length > 0 ? [...new Set(subjects)] : [LOG];
}

const isCompared = ({ level }: Finding) => level !== 'note';
/** A finding that covers several hazards, or may. */
const isGroup = ({ finding, subjects }: Located) => finding.hazardId === null && subjects[0] !== LOG;
const columnOf = ({ places }: Finding) => places[0]?.cell.replace(/\d.*$/, '') ?? '';

/** How alike two findings of one rule and one hazard are. */
const likeness = (one: Finding, other: Finding) =>
  Number(columnOf(one) === columnOf(other)) * 2 + Number(one.found === other.found && one.expected === other.expected);

type Pair = readonly [before: Located, after: Located];

/** Pairs findings of one rule and one subject, the most alike first. A group stands for all of them. */
function pair(before: readonly Located[], after: readonly Located[]): Pair[] {
  if ([...before, ...after].some(isGroup)) return before.flatMap((one) => after.map((other): Pair => [one, other]));
  const left = new Set(after);
  const paired: Pair[] = [];
  const wanted = before.flatMap((one) =>
    after.map((other) => ({ one, other, alike: likeness(one.finding, other.finding) })),
  );
  const done = new Set<Located>();
  for (const { one, other } of wanted.sort((a, b) => b.alike - a.alike)) {
    if (done.has(one) || !left.has(other)) continue;
    done.add(one);
    left.delete(other);
    paired.push([one, other]);
  }
  return paired;
}

function bySubject(located: readonly Located[]): Map<string, Located[]> {
  const groups = new Map<string, Located[]>();
  for (const one of located)
    for (const subject of one.subjects) {
      const key = `${one.finding.rule}\n${subject}`;
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
  return groups;
}

type Version = { findings: readonly Finding[]; hazards: readonly ExistingHazard[]; identity: Identity };

/** The findings of a version to fix and to check, with their subjects. */
async function locate({ findings, hazards, identity }: Version): Promise<Located[]> {
  const byId = new Map<string, ExistingHazard[]>();
  for (const hazard of hazards) {
    const id = sameId(hazard.id);
    const alike = byId.get(id);
    if (alike) alike.push(hazard);
    else byId.set(id, [hazard]);
  }
  const known = { inRows: indexRows(hazards), byId, identity };
  return inSlices(findings.filter(isCompared), (finding) => ({ finding, subjects: subjectsOf(finding, known) }));
}

/** The compared findings, and which continue as which: never as one that covers more hazards. */
type ComparedFindings = { findings: Comparison['findings']; continued: { before: string; after: string }[] };

/**
 * Compares the findings to fix and to check of two versions: a finding stays open while its rule finds the same hazard,
 * wherever its cells are now, also where hazards are grouped in one finding.
 * @param before `identity` is equal for the hazards of both versions that were paired
 */
export async function compareFindings(before: Version, after: Version): Promise<ComparedFindings> {
  const [earlier, later] = [await locate(before), await locate(after)];
  const laterBySubject = bySubject(later);
  const pairs = (
    await inSlices([...bySubject(earlier)], ([key, found]) => pair(found, laterBySubject.get(key) ?? []))
  ).flat();
  const paired = new Set(pairs.flat());
  const kept = new Set(after.identity.values());
  const isGone = ({ subjects }: Located) => subjects.every((subject) => subject !== LOG && !kept.has(subject));
  const ended = earlier.filter((one) => !paired.has(one));
  const findingOf = ({ finding }: Located) => finding;
  return {
    findings: {
      fixed: ended.filter((one) => !isGone(one)).map(findingOf),
      gone: ended.filter(isGone).map(findingOf),
      added: later.filter((one) => !paired.has(one)).map(findingOf),
      open: later.filter((one) => paired.has(one)).map(findingOf),
      // Acceptances are no part of a result: `withAccepted` moves them here.
      accepted: [],
    },
    continued: pairs
      .filter(([one, other]) => other.subjects.every((subject) => one.subjects.includes(subject)))
      .map(([one, other]) => ({ before: one.finding.id, after: other.finding.id })),
  };
}
