import type { LogHazard } from '../reading/logModel.ts';
import { readLog } from '../reading/readLog.ts';
import type { LabelledTicket } from './labelled.ts';
import askwell from './products/askwell.json' with { type: 'json' };
import corvane from './products/corvane.json' with { type: 'json' };
import fernhill from './products/fernhill.json' with { type: 'json' };
import grayfell from './products/grayfell.json' with { type: 'json' };
import halden from './products/halden.json' with { type: 'json' };
import linnet from './products/linnet.json' with { type: 'json' };
import marlowe from './products/marlowe.json' with { type: 'json' };
import osprey from './products/osprey.json' with { type: 'json' };
import pellworth from './products/pellworth.json' with { type: 'json' };
import thornley from './products/thornley.json' with { type: 'json' };
import tidewater from './products/tidewater.json' with { type: 'json' };

/** A ticket with the hazards of its product's log that a reader calls right; none where the log has no such hazard. */
type PairedTicket = LabelledTicket & { hazardIds: string[] };

type WrittenHazard = {
  id: string;
  name: string;
  description: string;
  causes: string[];
  clinicalImpact: string;
  controls: string;
};

/** An invented product: its hazards, and its tickets as people write them. */
export type Product = {
  product: string;
  /** Whether a weight, a threshold or a word was chosen with it (docs/evaluation.md). */
  isSeen: boolean;
  /** False where something was chosen with it, and the weights of relevance were not fitted anew. */
  isFitted?: false;
  hazards: WrittenHazard[];
  tickets: PairedTicket[];
};

/** The products with a log of their own, those that something was chosen with first. */
export const PRODUCTS: readonly Product[] = [
  { ...fernhill, isSeen: true },
  { ...corvane, isSeen: true },
  { ...tidewater, isSeen: true },
  { ...askwell, isSeen: true },
  { ...linnet, isSeen: true },
  { ...grayfell, isSeen: true },
  { ...marlowe, isSeen: true, isFitted: false },
  { ...pellworth, isSeen: false },
  { ...osprey, isSeen: false },
  { ...thornley, isSeen: false },
  { ...halden, isSeen: false },
];

/** The products that something was chosen with. */
export const SEEN_PRODUCTS = PRODUCTS.filter(({ isSeen }) => isSeen);
/** Those of them that the weights of relevance are fitted to. */
export const FITTED_PRODUCTS = SEEN_PRODUCTS.filter(({ isFitted = true }) => isFitted);
/** The products that are only measured. */
export const HELD_OUT_PRODUCTS = PRODUCTS.filter(({ isSeen }) => !isSeen);

const HEADINGS = ['Hazard ID', 'Hazard', 'Description', 'Causes', 'Effect', 'Existing controls'];
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The hazards of a product, as they are read from a log with them. */
export async function readProductHazards({ product, hazards }: Product): Promise<LogHazard[]> {
  const rows = hazards.map(({ id, name, description, causes, clinicalImpact, controls }) => [
    ...[id, name, description, causes.join('\n')],
    ...[clinicalImpact, controls],
  ]);
  const csv = [HEADINGS, ...rows].map((row) => row.map(quoted).join(',')).join('\n');
  return (await readLog(new TextEncoder().encode(csv), `${product}.csv`)).hazards;
}
