import { quoted } from './columnExamples.ts';
import type { CountedRun, ListedHazards, ReadLog } from './logModel.ts';
import { MAX_EXAMPLES, type OpenPoint, type ReadingCandidate } from './openPoints.ts';

/** The points of whether rows or lists are one hazard or several, and their candidates. */
export const LISTED = 'hazards:listed';
export const COUNTED_BARE = 'hazards:counted-bare';
const COUNTED_WHOLE = 'hazards:counted-whole';
export const EACH = 'each' as const;
export const ONE = 'one' as const;

type Cells = Pick<ReadLog, 'text' | 'place'>;

/** The point that decides on a run. */
export const pointOf = ({ isBare }: CountedRun) => (isBare ? COUNTED_BARE : COUNTED_WHOLE);

const candidate = (id: string, label: string, examples: ReadingCandidate['examples']): ReadingCandidate => ({
  id,
  label,
  reference: label,
  text: null,
  examples,
});

function openLists({ place, text }: Cells, lists: readonly ListedHazards[]): OpenPoint[] {
  if (lists.length === 0) return [];
  const examples = (gives: (list: ListedHazards) => string) =>
    lists.slice(0, MAX_EXAMPLES).map((list) => ({
      title: `Row ${list.row}`,
      gives: gives(list),
      quote: quoted(text(list.row, 'name') || text(list.row, 'description')),
      place: place(list.row, 'name'),
    }));
  return [
    {
      id: LISTED,
      label: 'Does a name that is a list stand for several hazards?',
      why: `In ${lists.length} ${lists.length === 1 ? 'row' : 'rows'} the name is a list of bullets or numbers.`,
      candidates: [
        candidate(
          EACH,
          'Each line is a hazard: they share the row’s rating and controls',
          examples(({ names }) => `${names.length} hazards: ${names.map((name) => `“${quoted(name)}”`).join(', ')}`),
        ),
        candidate(
          ONE,
          'The row is one hazard',
          examples(() => 'One hazard'),
        ),
      ],
    },
  ];
}

function openCounted({ place, text }: Cells, runs: readonly CountedRun[], id: string): OpenPoint[] {
  const own = runs.filter((run) => pointOf(run) === id);
  if (own.length === 0) return [];
  const idsOf = ({ rows }: CountedRun) => rows.map((row) => text(row, 'id'));
  const examples = (gives: (run: CountedRun) => string) =>
    own.slice(0, MAX_EXAMPLES).map((run) => ({
      title: `Rows ${run.rows[0]} to ${run.rows.at(-1)}`,
      gives: gives(run),
      quote: `${quoted(idsOf(run).join(', '))} · ${quoted(text(run.rows[0] ?? 0, 'name'))}`,
      place: place(run.rows[0] ?? 0, 'id'),
    }));
  const one = candidate(
    ONE,
    'They are one hazard',
    examples((run) => `One hazard, ${idsOf(run)[0]}`),
  );
  const each = candidate(
    EACH,
    'Each row is a hazard',
    examples((run) => `${run.rows.length} hazards`),
  );
  return [
    {
      id,
      label: 'Are rows whose ids count up under one name one hazard?',
      why:
        id === COUNTED_BARE
          ? 'Their ids count up, as when a cell is dragged down, and only the first row has an effect or a rating.'
          : 'Their ids count up under one name, as when a cell is dragged down.',
      candidates: id === COUNTED_BARE ? [one, each] : [each, one],
    },
  ];
}

/** The open points of whether rows or lists of a log are one hazard or several. */
export const findOpenGroups = (
  cells: Cells,
  lists: readonly ListedHazards[],
  runs: readonly CountedRun[],
): OpenPoint[] => [
  ...openLists(cells, lists),
  ...openCounted(cells, runs, COUNTED_BARE),
  ...openCounted(cells, runs, COUNTED_WHOLE),
];
