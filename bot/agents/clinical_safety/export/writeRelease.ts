import type { Evidence } from '../../../../models/contracts/clinical_safety/evidence.ts';
import {
  type EvidenceField,
  type EvidenceRecord,
  evidenceFigures,
  evidenceFiles,
  evidenceParts,
  evidenceSummary,
  filledFields,
} from '../../../../models/contracts/clinical_safety/evidenceParts.ts';
import { digestOf } from '../../../../models/digest.ts';
import type { WordBlock, WordDocument, WordRun } from '../../../engine/files/wordDocument.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import { makeEntry } from '../../../engine/files/zipArchive.ts';
import type { HazardJobs } from '../worker/jobs.ts';
import { exportEvidence } from './exportEvidence.ts';
import { momentIn } from './printEvidence.ts';

const readme = (analysisId: number) => `A release file of Arc.

evidence.json   what was analysed, found and decided, by whom and when; its SHA-256 is the evidence digest
evidence.xlsx   the same as a workbook
evidence.docx   the same as a Word document
audit.jsonl     the company's audit chain from the start of the analysis to this release: ids and digests, no names
manifest.json   the digest of each file, the evidence digest, and the head of the audit chain
manifest.sig    the Ed25519 signature of manifest.json

To verify it, take docs/verify-release.mjs from Arc's own source, not from whoever sent you this file, and ask the
company for the fingerprint of its release key:

    node verify-release.mjs release-of-analysis-${analysisId}.zip --key FINGERPRINT
`;

const linesOf = ([label, value, digest]: EvidenceField): WordRun[][] => {
  const texts = typeof value === 'string' ? [value] : [...(value ?? [])];
  const [first = '', ...rest] = texts;
  return [
    [{ text: `${label}: `, bold: true }, first],
    ...rest.map((text): WordRun[] => [text]),
    ...(digest ? [[digest]] : []),
  ];
};

const fieldTable = (caption: string, fields: readonly EvidenceField[]): WordBlock => ({
  kind: 'table',
  caption,
  head: ['What', 'Value'],
  rows: fields.map((field) => {
    const [[_label, ...value] = [], ...rest] = linesOf(field);
    return [field[0], { lines: [value, ...rest] }];
  }),
  widths: [3, 7],
  hasRowHeads: true,
});

const recordTable = (caption: string, records: readonly EvidenceRecord[]): WordBlock => ({
  kind: 'table',
  caption,
  head: ['Record', 'Content'],
  rows: records.map(({ code, title, state, fields }) => [
    { lines: [[[code, title].filter(Boolean).join(' ')], ...(state ? [[state]] : [])] },
    { lines: filledFields(fields).flatMap(linesOf) },
  ]),
  widths: [3, 7],
  hasRowHeads: true,
});

/** An evidence pack as a Word document: figures, every record with who decided it, digests. */
function makeDocument(pack: Evidence): WordDocument {
  const { content, seal } = pack;
  const moment = momentIn(content.timeZone);
  const parts = evidenceParts(content, moment).flatMap(({ title, empty, records }): WordBlock[] => [
    { kind: 'heading', level: 1, text: title },
    records.length > 0 ? recordTable(title, records) : { kind: 'text', runs: [empty] },
  ]);
  return {
    title: 'Release record',
    subtitle: content.analysis.logFileName,
    state: 'As recorded in Arc',
    cover: [
      { label: 'Company', runs: [content.company] },
      { label: 'Made', runs: [moment(seal.madeAt)] },
      { label: 'Evidence digest (SHA-256)', runs: [seal.digest] },
    ],
    footer: `Arc, analysis ${content.analysis.id}`,
    author: 'Arc',
    parts: [
      {
        isLandscape: false,
        blocks: [
          { kind: 'heading', level: 1, text: 'Summary' },
          { kind: 'list', items: evidenceFigures(content).map(([value, label]) => [`${value} ${label}`]) },
          fieldTable('What was analysed', filledFields(evidenceSummary(pack, moment))),
          ...parts,
          { kind: 'heading', level: 1, text: 'Files and audit' },
          fieldTable('Digests', evidenceFiles(pack)),
        ],
      },
    ],
  };
}

/**
 * The files of a release, packed for its archive, with the digest of each.
 * @param input.text the evidence as JSON
 * @param input.chain rows of the audit chain, one a line
 */
export async function writeRelease({
  pack,
  text,
  chain,
}: HazardJobs['writeRelease']['input']): Promise<HazardJobs['writeRelease']['output']> {
  const contents: [name: string, bytes: Uint8Array][] = [
    ['README.txt', Buffer.from(readme(pack.content.analysis.id))],
    ['evidence.json', Buffer.from(text)],
    ['evidence.xlsx', (await exportEvidence(pack)).bytes],
    ['evidence.docx', await writeWord(makeDocument(pack))],
    ['audit.jsonl', Buffer.from(chain)],
  ];
  return {
    entries: contents.map(([name, bytes]) => makeEntry(name, bytes)),
    files: await Promise.all(
      contents.map(async ([name, bytes]) => ({ name, bytes: bytes.length, sha256: await digestOf(bytes) })),
    ),
  };
}
