import { dayText } from '../../../../models/contracts/zonedText.ts';
import type { WordDocument } from '../../../engine/files/wordDocument.ts';
import { appendices, closingSections } from './closingSections.ts';
import { openingSections } from './openingSections.ts';
import { gap, type ReportInput } from './reportInput.ts';
import { riskSections } from './riskSections.ts';

/** Every version that the log states, with where it does. */
function versionText({ result }: ReportInput): string {
  const { versions } = result.analysisMetadata.log;
  if (versions.length === 0) return 'The log states no version.';
  return versions.map(({ source, version }) => `${version} (${source})`).join('; ');
}

const AUTHOR = 'Arc';

/**
 * Writes a safety case report as a draft, in the order of the NHS report: what the log holds, and a marked gap for all
 * that only a Clinical Safety Officer can write.
 */
export function makeCaseReport(input: ReportInput): WordDocument {
  const { analysis, result, writtenAt, timeZone, newerLog } = input;
  const { logDigest, standard, engineVersion } = result.analysisMetadata;
  return {
    title: 'Clinical Safety Case Report',
    subtitle: analysis.isSample ? 'Of the sample hazard log, which is made up' : `From ${analysis.logFileName}`,
    state: 'Draft, not approved',
    author: AUTHOR,
    footer: `${analysis.logFileName} · SHA-256 ${logDigest.slice(0, 16)}… · written ${dayText(writtenAt, timeZone)}`,
    cover: [
      { label: 'Product and release', runs: [gap('name and release')] },
      { label: 'Document reference', runs: [gap('reference and version')] },
      { label: 'Hazard log', runs: [analysis.logFileName] },
      { label: 'Version of the log', runs: [versionText(input)] },
      { label: 'Digest of the log (SHA-256)', runs: [logDigest] },
      {
        label: 'Analysis',
        runs: [
          `Number ${analysis.id} of ${dayText(analysis.createdAt, timeZone)}, by the rules of Arc ${engineVersion} (${standard})`,
        ],
      },
      ...(newerLog
        ? [
            {
              label: 'Newer log',
              runs: [{ text: `${newerLog} was uploaded after this analysis and is not in this report.`, bold: true }],
            },
          ]
        : []),
      { label: 'Written', runs: [`${dayText(writtenAt, timeZone)} by Arc, as a draft for a Clinical Safety Officer`] },
    ],
    parts: [
      { isLandscape: false, blocks: [...openingSections(input), ...riskSections(input), ...closingSections(input)] },
      { isLandscape: true, blocks: appendices(input) },
    ],
  };
}

const MAX_NAME_CHARACTERS = 80;

/** The name of a report's file: that of its log, and that it is a draft. */
export const nameOfCaseReport = (logFileName: string): string =>
  `Safety case report (draft), ${baseNameOf(logFileName)}.docx`;

/** A log's file name as the name of a document about it holds it: without its ending, and not too long. */
export const baseNameOf = (logFileName: string): string =>
  logFileName
    .replace(/\.[a-z]{2,4}$/i, '')
    .slice(0, MAX_NAME_CHARACTERS)
    .toWellFormed()
    .trim();
