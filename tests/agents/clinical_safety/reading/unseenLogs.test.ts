import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

const FOLDER = new URL('../../../fixtures/unseenLogs/', import.meta.url);

type True = {
  id: string | null;
  name: string | null;
  owner?: string | null;
  causes: string[];
  /** Absent where the author did not write it down. */
  effect?: string | null;
  controls: string[];
  initial: (string | number | null)[];
  residual: (string | number | null)[];
};

/** Findings to fix that are so. */
const TRUE_FIXES: Record<string, string[]> = {
  'second-03-chatbot.md': ['risk-differs-from-matrix'],
  '08-jira.csv': ['missing-residual'],
  '10-triage.xlsx': ['duplicate-id', 'missing-id', 'missing-residual'],
  '12-ward.xlsx': ['residual-risk-unacceptable'],
  '16-pathlink.xlsx': ['missing-id'],
  'fifth-eastmere-epma.xlsx': ['missing-residual'],
  'fourth-harrowgate-virtual-ward.xlsx': ['duplicate-id'],
  'fourth-kestrelgate-bowties.xlsx': ['missing-id'],
  'fourth-waterlinie-gevarenlog.xlsx': ['missing-risk'],
  'third-askwell-triage-bot.xlsx': ['missing-id'],
  'third-meridian-epma.xlsx': ['missing-residual'],
  'third-northgate-gp-register.xlsx': ['duplicate-id'],
  'third-virtuacare-jira-export.csv': ['missing-risk'],
};

/** Texts without the marks of lists: a cell with a list is one text for Arc, and several for a reader. */
const plain = (texts: readonly string[]) =>
  texts
    .flatMap((text) => text.split(/;?\n|; | \/ /))
    .map((text) => text.replace(/^\s*(?:[-•–*]|\d+[.)])\s*/, '').trim())
    .filter(Boolean)
    .join('\n');
/** A risk that is given in words alone is listed as not read. */
const riskText = (value: string | number | null | undefined) => /^\d+/.exec(String(value ?? ''))?.[0] ?? null;
const ratingText = (value: string | number | null | undefined) =>
  value === null || value === undefined ? null : String(value);

const ratingOf = ([severity, likelihood, risk]: True['initial']) => [
  ...[ratingText(severity), ratingText(likelihood)],
  riskText(risk),
];

// Recommended actions of an FMEA are kept as actions, and are no controls yet; two authors had counted some.
/** A name that its author cut at eighty characters; one that no other begins with where it is whole. */
const cutName = (name: string | null | undefined): string =>
  name && name.length > 78 && name.length < 81 ? name : '\n';

describe('logs by somebody who had not seen how they are read', () => {
  const files = readdirSync(FOLDER).filter((file) => !file.endsWith('.json'));

  test.each(files)('%s is read as its author means it', async (file) => {
    const truth: True[] = JSON.parse(readFileSync(new URL(file.replace(/\.\w+$/, '.truth.json'), FOLDER), 'utf8'));
    const log = await readLog(new Uint8Array(readFileSync(new URL(file, FOLDER))), file);
    const read = log.hazards.map((hazard, at) => ({
      id: hazard.hasId ? hazard.id : null,
      name: hazard.name.startsWith(cutName(truth[at]?.name)) ? (truth[at]?.name ?? null) : hazard.name,
      causes: plain(hazard.causes.map(({ text }) => text)),
      ...(truth[at]?.effect === undefined ? {} : { effect: hazard.clinicalImpact || null }),
      ...(truth[at]?.owner === undefined ? {} : { owner: hazard.owner }),
      controls: plain(hazard.controls.map(({ text }) => text)),
      initial: [hazard.initial.severity, hazard.initial.likelihood, ratingText(hazard.initial.risk)],
      residual: [hazard.residual.severity, hazard.residual.likelihood, ratingText(hazard.residual.risk)],
    }));
    const wanted = truth.map(({ causes, controls, initial, residual, ...one }) => ({
      ...one,
      causes: plain(causes),
      controls: plain(controls),
      initial: ratingOf(initial),
      residual: ratingOf(residual),
    }));
    expect(read).toEqual(wanted);
    const fixes = findFindings({ log, asOf: null, report: null }).filter(({ level }) => level === 'fix');
    expect([...new Set(fixes.map(({ rule }) => rule))].sort()).toEqual(TRUE_FIXES[file] ?? []);
  });
});
