import { beforeAll, describe, expect, test } from '@jest/globals';
import { LOG_BARS } from '../../../bot/agents/clinical_safety/evaluation/evaluate.ts';
import { OWN_LABELS } from '../../../bot/agents/clinical_safety/evaluation/labelled.ts';
import { LAYOUTS } from '../../../bot/agents/clinical_safety/evaluation/logs/layouts.ts';
import {
  type LogOutcome,
  measureLog,
  measureLogs,
  pool as poolLogs,
} from '../../../bot/agents/clinical_safety/evaluation/logs/measureLogs.ts';
import { MORE_LAYOUTS } from '../../../bot/agents/clinical_safety/evaluation/logs/moreLayouts.ts';
import { makeTrueHazards, NHS_SCALE } from '../../../bot/agents/clinical_safety/evaluation/logs/trueLog.ts';
import { byProduct, measure, pool } from '../../../bot/agents/clinical_safety/evaluation/measure.ts';
import { measureMatches } from '../../../bot/agents/clinical_safety/evaluation/measureMatches.ts';
import { measureProposals } from '../../../bot/agents/clinical_safety/evaluation/measureProposals.ts';
import {
  FITTED_PRODUCTS,
  HELD_OUT_PRODUCTS,
  PRODUCTS,
  type Product,
  readProductHazards,
  SEEN_PRODUCTS,
} from '../../../bot/agents/clinical_safety/evaluation/products.ts';
import { train } from '../../../bot/agents/clinical_safety/evaluation/train.ts';
import { KNOWLEDGE } from '../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import { indexHazards, matchHazards, weighTerms } from '../../../bot/agents/clinical_safety/tickets/hazardMatching.ts';
import { type Meaning, meaningOf } from '../../../bot/agents/clinical_safety/tickets/meaning.ts';
import {
  RELEVANCE_MODEL,
  type ScoredTicket,
  scoreTicket,
} from '../../../bot/agents/clinical_safety/tickets/relevance.ts';

describe('reading made-up logs', () => {
  let outcomes: LogOutcome[];
  beforeAll(async () => {
    outcomes = await measureLogs();
  });

  test('covers at least 80 files in at least 12 layouts, with faults in most of them', () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(80);
    expect(LAYOUTS.length + MORE_LAYOUTS.length).toBeGreaterThanOrEqual(12);
    expect(outcomes.filter(({ planted }) => planted > 0).length).toBeGreaterThan(40);
  });

  test.each([...LAYOUTS, ...MORE_LAYOUTS].map(({ name }) => name))(
    '%s: every hazard is read as it stands in the file',
    (name) => {
      const own = outcomes.filter(({ layout }) => layout === name);
      expect(own.flatMap(({ differences }) => differences)).toEqual([]);
      expect(poolLogs(own).read).toBe(1);
    },
  );

  test('finds the faults, and nothing to fix that is right', () => {
    const figures = poolLogs(outcomes);
    expect(figures.precision).toBeGreaterThanOrEqual(LOG_BARS.precision);
    expect(figures.recall).toBeGreaterThanOrEqual(LOG_BARS.recall);
  });
});

describe('the measure itself', () => {
  const [layout] = LAYOUTS;
  if (!layout) throw new Error('no layout');
  const written = (change: (hazards: ReturnType<typeof makeTrueHazards>) => ReturnType<typeof makeTrueHazards>) =>
    measureLog({ ...layout, write: (hazards) => layout.write(change([...hazards])) }, 7);

  test('notices a hazard that is missing, one that is not in the truth, and one that reads otherwise', async () => {
    const whole = await written((hazards) => hazards);
    expect(whole).toMatchObject({ read: whole.hazards, invented: 0, differences: [] });
    const less = await written((hazards) => hazards.slice(1));
    expect(less).toMatchObject({ hazards: whole.hazards, read: whole.hazards - 1, invented: 0 });
    const more = await written((hazards) => [...hazards, { ...makeTrueHazards(1, 1, NHS_SCALE)[0]!, id: 'HZ-99' }]);
    expect(more).toMatchObject({ read: whole.hazards, invented: 1 });
    const other = await written(([first, ...rest]) => [{ ...first!, effect: 'Another' }, ...rest]);
    expect(other).toMatchObject({ read: whole.hazards - 1 });
    expect(other.differences).toEqual([expect.stringContaining('effect of HZ-01 is “Another”')]);
  });

  test('counts a finding to fix about a sound hazard as wrong', async () => {
    // One of them: where all are so, the log itself is doubted.
    const outcome = await written((hazards) =>
      hazards.map((hazard, at) => (at === 0 ? { ...hazard, severity: 'Minor', likelihood: 'Low', risk: 2 } : hazard)),
    );
    expect(outcome.wrong).toBeGreaterThan(0);
  });

  test('pools shares over all files', () => {
    const one = { layout: 'a', hazards: 3, read: 2, invented: 1, planted: 4, found: 3, wrong: 1, differences: [] };
    expect(poolLogs([one, one])).toEqual({ files: 2, hazards: 8, read: 0.5, precision: 0.75, recall: 0.75 });
    expect(poolLogs([])).toEqual({ files: 0, hazards: 0, read: 1, precision: 1, recall: 1 });
  });
});

describe('tickets of products that the weights do not know', () => {
  const products = [...byProduct(OWN_LABELS), ...FITTED_PRODUCTS];
  const unlike = (product: string) => products.flatMap((other) => (other.product === product ? [] : other.tickets));
  // Every other product: fitting takes a second each.
  const some = FITTED_PRODUCTS.filter((_, at) => at % 2 === 0);
  const figures = pool(some.map(({ product, tickets }) => measure(tickets, train(unlike(product)))));

  test('are at least four products with a log of their own, and ten without', () => {
    expect(SEEN_PRODUCTS.length).toBeGreaterThanOrEqual(7);
    expect(HELD_OUT_PRODUCTS.length).toBeGreaterThanOrEqual(4);
    expect(byProduct(OWN_LABELS).length).toBeGreaterThanOrEqual(10);
    const known = new Set(KNOWLEDGE.map(({ id }) => id));
    for (const { hazards, tickets } of PRODUCTS) {
      const ids = new Set(hazards.map(({ id }) => id));
      expect(new Set(tickets.map(({ key }) => key)).size).toBe(tickets.length);
      expect(tickets.flatMap(({ hazardIds }) => hazardIds).filter((id) => !ids.has(id))).toEqual([]);
      expect(tickets.flatMap(({ kbIds }) => kbIds).filter((id) => !known.has(id))).toEqual([]);
    }
  });

  test('are recognised as relevant nine times in ten, and four in five of those called relevant are', () => {
    expect(figures.recall).toBeGreaterThanOrEqual(0.9);
    expect(figures.precision).toBeGreaterThanOrEqual(0.8);
    const heldOut = pool(HELD_OUT_PRODUCTS.map(({ tickets }) => measure(tickets)));
    expect(heldOut.recall).toBeGreaterThanOrEqual(0.9);
    expect(heldOut.precision).toBeGreaterThanOrEqual(0.8);
  });

  test('are offered no hazard four times in five where none is right', async () => {
    const matches = await Promise.all(SEEN_PRODUCTS.map(measureMatches));
    const sum = (kind: 'without' | 'noneFirst') => matches.reduce((total, own) => total + own[kind], 0);
    expect(sum('noneFirst') / sum('without')).toBeGreaterThanOrEqual(0.8);
  });

  test('make sure proposals of which nine in ten are right', async () => {
    const proposals = await Promise.all(SEEN_PRODUCTS.map((product) => measureProposals(product)));
    const sum = (kind: 'sure' | 'sureAndRight') => proposals.reduce((total, own) => total + own[kind], 0);
    expect(sum('sure')).toBeGreaterThanOrEqual(8);
    expect(sum('sureAndRight') / sum('sure')).toBeGreaterThanOrEqual(0.9);
  });

  test('have the right hazard of their log among the first three', async () => {
    const matches = await Promise.all(SEEN_PRODUCTS.map(measureMatches));
    const sum = (kind: 'paired' | 'firstThree') => matches.reduce((total, own) => total + own[kind], 0);
    expect(sum('paired')).toBeGreaterThanOrEqual(20);
    expect(sum('firstThree') / sum('paired')).toBeGreaterThanOrEqual(0.85);
  });

  test('are ranked better by words and meaning together than by words alone', async () => {
    const [product] = PRODUCTS;
    const hazards = await readProductHazards(product!);
    expect(hazards.map(({ id, name }) => [id, name])).toEqual(product!.hazards.map(({ id, name }) => [id, name]));
    const index = indexHazards(hazards);
    const scored = product!.tickets.map((ticket) => scoreTicket(ticket));
    const rightOf = (meaning: (ticket: ScoredTicket) => Meaning) =>
      scored.filter((ticket, at) => {
        const [first] = matchHazards(index, { ...ticket, meaning: meaning(ticket) }, weighTerms(scored));
        return product!.tickets[at]!.hazardIds.includes(hazards[first?.at ?? -1]?.id ?? '');
      }).length;
    const [together, words] = [rightOf(({ meaning }) => meaning), rightOf(() => meaningOf(''))];
    expect(together).toBeGreaterThan(words);
  });

  test('are fitted the same each time, as the weights of the engine are', () => {
    const all = [...OWN_LABELS, ...FITTED_PRODUCTS.flatMap(({ tickets }) => tickets)];
    expect(train(all)).toEqual(RELEVANCE_MODEL);
  });
});

describe('the measure of tickets', () => {
  const product: Product = {
    product: 'Made up',
    isSeen: true,
    hazards: [
      { id: 'M-1', name: 'Allergy is not shown', description: '', causes: ['Feed'], clinicalImpact: '', controls: '' },
      {
        id: 'M-2',
        name: 'Backup can not be restored',
        description: '',
        causes: ['Disk'],
        clinicalImpact: '',
        controls: '',
      },
      { id: 'M-3', name: 'Letter is lost', description: '', causes: ['Post'], clinicalImpact: '', controls: '' },
      { id: 'M-4', name: 'Alarm is not heard', description: '', causes: ['Volume'], clinicalImpact: '', controls: '' },
    ],
    tickets: [],
  };
  const ticket = (summary: string, hazardIds: string[], relevant = true) => ({
    ...{ key: `M-${summary.length}`, summary, description: '', relevant, kbIds: [], hazardIds },
  });

  test('counts a right hazard, a wrong one, and one that is offered where none is right', async () => {
    const shown = 'Allergy of the patient is not shown in the allergy feed';
    expect(await measureMatches({ ...product, tickets: [ticket(shown, ['M-1'])] })).toEqual({
      ...{ paired: 1, firstThree: 1, possible: 1, without: 0, noneFirst: 0, misses: [] },
    });
    expect(await measureMatches({ ...product, tickets: [ticket(shown, [])] })).toMatchObject({
      ...{ paired: 0, without: 1, noneFirst: 0, misses: ['M-55: no hazard is right, and M-1 is offered'] },
    });
    expect(await measureMatches({ ...product, tickets: [ticket('Zyx qwv', [])] })).toMatchObject({
      ...{ without: 1, noneFirst: 1, misses: [] },
    });
    expect(await measureMatches({ ...product, tickets: [ticket('Zyx qwv', ['M-2'])] })).toMatchObject({
      ...{ paired: 1, firstThree: 0, possible: 0, misses: ['M-7: M-2 is not in '] },
    });
    expect(await measureMatches({ ...product, tickets: [ticket(shown, ['M-1'], false)] })).toMatchObject({ paired: 0 });
  });

  test('counts a proposal as right where its kind is a label of at least half of its tickets', async () => {
    const broken = (key: string, kbIds: string[]) => ({
      ...ticket('Restore of the backup failed because the backup is corrupt', []),
      ...{ key, kbIds },
    });
    const figuresOf = (...tickets: Product['tickets']) => measureProposals({ ...product, tickets });
    const right = { proposals: 1, right: 1, sure: 1, sureAndRight: 1, misses: [] };
    expect(await figuresOf(broken('M-1', ['AVL-04']), broken('M-2', ['AVL-04']))).toEqual(right);
    expect(await figuresOf(broken('M-1', ['AVL-04']), broken('M-2', []))).toEqual(right);
    expect(await figuresOf(broken('M-1', ['AVL-04']), broken('M-2', []), broken('M-3', []))).toEqual({
      ...{ proposals: 1, right: 0, sure: 1, sureAndRight: 0, misses: ['AVL-04 is sure for M-1, M-2, M-3'] },
    });
  });

  test('pools sets so that each ticket counts the same', () => {
    const own = OWN_LABELS.slice(0, 9);
    expect(pool([measure(own.slice(0, 2)), measure(own.slice(2))])).toEqual(measure(own));
  });

  test('takes the letters of the keys for the product', () => {
    const labels = ['AB-1', 'CD-2', 'AB-30'].map((key) => ({ ...OWN_LABELS[0]!, key }));
    expect(byProduct(labels).map(({ product: name, tickets }) => [name, tickets.map(({ key }) => key)])).toEqual([
      ['AB', ['AB-1', 'AB-30']],
      ['CD', ['CD-2']],
    ]);
  });
});
