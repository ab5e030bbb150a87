import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { ReportCheck } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import { counted } from '../counted.ts';
import { readSafetyReport } from '../findings/safetyReport.ts';
import type { TextBlock } from '../reading/textBlocks.ts';
import { sameVersion } from '../reading/versions.ts';
import { findTransferred } from '../reports/reportFigures.ts';
import { type ReportFacts, textOfBlock } from './facts.ts';
import { plainId, readReportedRisks } from './ratingsInReport.ts';
import { textOfSection } from './sections.ts';

const MAX_IDS = 12;
const listed = (ids: readonly string[]): string =>
  ids.length <= MAX_IDS ? ids.join(', ') : `${ids.slice(0, MAX_IDS).join(', ')} and ${ids.length - MAX_IDS} more`;

const silent = (id: ReportCheck['id'], title: string): ReportCheck => ({ id, outcome: 'not-stated', title });

function checkVersion({ logVersion }: ReportFacts, { analysisMetadata }: AnalysisResult): ReportCheck {
  if (logVersion === null) return silent('log-version', 'The report names no version of the hazard log (3.3.3).');
  const { versions } = analysisMetadata.log;
  if (versions.length === 0)
    return silent('log-version', `The report names version ${logVersion} of the log; the log states none.`);
  const differing = versions.filter(({ version }) => !sameVersion(version, logVersion));
  const stated = versions.map(({ version, source }) => `${version} (${source})`).join('; ');
  return differing.length === 0
    ? { id: 'log-version', outcome: 'agrees', title: `Both name version ${logVersion} of the log.` }
    : {
        id: 'log-version',
        outcome: 'differs',
        title: `The report names version ${logVersion} of the log; the log states ${stated}.`,
      };
}

function checkDigest({ logDigest }: ReportFacts, { analysisMetadata }: AnalysisResult): ReportCheck[] {
  if (logDigest === null) return [];
  return [
    logDigest === analysisMetadata.logDigest
      ? { id: 'log-digest', outcome: 'agrees', title: 'The report has the digest of the analysed log.' }
      : {
          id: 'log-digest',
          outcome: 'differs',
          title: 'The report has the digest of another file than the analysed log.',
        },
  ];
}

/** Every number of hazards that a text names, the whole and parts of it. "5 Hazards" is a numbered heading. */
const countsIn = (text: string): number[] =>
  [...text.matchAll(/\b(\d{1,4}) (?:[Cc]linical |identified |distinct )?hazards?\b/g)].map(([, digits]) =>
    Number(digits),
  );

/** Parts are smaller than the whole: a number above the log's is no part of it, even where the log's is named too. */
function checkCount(text: string, facts: ReportFacts, { existingHazards }: AnalysisResult): ReportCheck {
  const id = 'hazard-count';
  const inLog = existingHazards.length;
  const named = countsIn(text);
  const most = Math.max(...named);
  if (named.includes(inLog)) {
    if (most === inLog) return { id, outcome: 'agrees', title: `Both count ${counted(inLog, 'hazard')}.` };
    const title = `The report counts ${counted(most, 'hazard')}, and elsewhere ${inLog}, as the log does. Check which is the total.`;
    return { id, outcome: 'differs', title };
  }
  const { hazardCount } = facts;
  if (hazardCount === null) return silent(id, 'The report does not say how many hazards there are.');
  return hazardCount === inLog
    ? { id, outcome: 'agrees', title: `Both count ${counted(inLog, 'hazard')}.` }
    : { id, outcome: 'differs', title: `The report counts ${counted(hazardCount, 'hazard')}; the log has ${inLog}.` };
}

/** An id that a log may have: its letters before the number. */
const prefixOf = (id: string): string => /^[A-Z]+/.exec(plainId(id))?.[0] ?? '';

function checkIds(text: string, { existingHazards }: AnalysisResult): ReportCheck[] {
  const ids = [...new Set(existingHazards.map(({ id }) => id))];
  const said = new Set(readSafetyReport(text, '').hazardIds.map(plainId));
  const named = ids.filter((id) => said.has(plainId(id)));
  if (named.length === 0) return [silent('hazard-ids', 'The report names no hazard of the log by its id.')];
  const missing = ids.filter((id) => !said.has(plainId(id)));
  const known = new Set(ids.map(plainId));
  const prefixes = new Set(ids.map(prefixOf).filter(Boolean));
  const unknown = [...said].filter((id) => !known.has(id) && prefixes.has(prefixOf(id)));
  return [
    missing.length === 0
      ? {
          id: 'hazard-ids',
          outcome: 'agrees',
          title: `The report names all ${counted(ids.length, 'hazard')} of the log.`,
        }
      : {
          id: 'hazard-ids',
          outcome: 'differs',
          title: `The report does not name ${counted(missing.length, 'hazard')} of the log: ${listed(missing)}.`,
        },
    ...(unknown.length > 0
      ? [
          {
            id: 'unknown-ids' as const,
            outcome: 'differs' as const,
            title: `The report names ${counted(unknown.length, 'hazard')} that the log does not have: ${listed(unknown)}.`,
          },
        ]
      : []),
  ];
}

function checkRisks(blocks: readonly TextBlock[], { existingHazards }: AnalysisResult): ReportCheck[] {
  // An id that the log uses twice says nothing about either.
  const counts = new Map<string, number>();
  for (const { id } of existingHazards) counts.set(plainId(id), (counts.get(plainId(id)) ?? 0) + 1);
  const single = existingHazards.filter(({ id }) => counts.get(plainId(id)) === 1);
  const byId = new Map(single.map((hazard) => [hazard.id, hazard]));
  const reported = readReportedRisks(blocks, [...byId.keys()]);
  if (reported.length === 0) return [silent('risks', 'No table of the report gives the risks of the log’s hazards.')];
  const differing = reported.filter(({ id, stage, risk }) => byId.get(id)?.[stage].risk !== risk);
  const unique = [...new Map(differing.map((one) => [`${one.id} ${one.stage} ${one.risk}`, one])).values()];
  if (unique.length === 0)
    return [
      {
        id: 'risks',
        outcome: 'agrees',
        title: `The risks that the report gives for ${counted(new Set(reported.map(({ id }) => id)).size, 'hazard')} are those of the log.`,
      },
    ];
  return unique.slice(0, MAX_RISKS).map(({ id, stage, risk }) => ({
    id: 'risks',
    outcome: 'differs',
    title: `${id}: the report gives the ${stage} risk ${risk}, the log ${byId.get(id)?.[stage].risk ?? 'none'}.`,
  }));
}
const MAX_RISKS = 50;

function checkTransferred(blocks: readonly TextBlock[], { existingHazards }: AnalysisResult): ReportCheck[] {
  const transferred = findTransferred(existingHazards);
  if (transferred.length === 0) return [];
  const section = plainId(textOfSection(blocks, 'transferred') ?? '');
  const missing = transferred.filter(({ id }) => !section.includes(plainId(id))).map(({ id }) => id);
  return [
    missing.length === 0
      ? {
          id: 'transferred',
          outcome: 'agrees',
          title: `The report lists ${counted(transferred.length, 'transferred hazard')} of the log.`,
        }
      : {
          id: 'transferred',
          outcome: 'differs',
          title: `What the log transfers is not in a section of the report on it: ${listed(missing)} (6.3.1).`,
        },
  ];
}

/** Compares a report with the result of an analysis of its log. */
export function checkAgainstLog(
  blocks: readonly TextBlock[],
  facts: ReportFacts,
  result: AnalysisResult,
): ReportCheck[] {
  const text = blocks.map(textOfBlock).join('\n');
  return [
    checkCount(text, facts, result),
    checkVersion(facts, result),
    ...checkDigest(facts, result),
    ...checkIds(text, result),
    ...checkRisks(blocks, result),
    ...checkTransferred(blocks, result),
  ];
}
