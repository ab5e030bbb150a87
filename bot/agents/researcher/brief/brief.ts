import type { WordBlock, WordDocument } from '../../../engine/files/wordDocument.ts';
import type { Found, Passage } from '../search/findPassages.ts';

/** A document of a connected tool: its link there, and the tool's name. */
export type Origin = { url: string; tool: string };

type Origins = ReadonlyMap<string, Origin>;
const NO_ORIGINS: Origins = new Map();

/** The content of a brief. */
type BriefInput = {
  question: string;
  found: Found;
  day: string;
  /** Documents of connected tools, by their names; absent where none is. */
  origins?: Origins;
};

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The passages of each document, with their numbers from 1. */
function byDocument(passages: readonly Passage[]): { document: string; quotes: (Passage & { number: number })[] }[] {
  const groups = new Map<string, (Passage & { number: number })[]>();
  for (const [at, passage] of passages.entries())
    groups.set(passage.document, [...(groups.get(passage.document) ?? []), { ...passage, number: at + 1 }]);
  return [...groups].map(([document, quotes]) => ({ document, quotes }));
}

/** Where a quote stands: "Drug round.md, “Rule”, line 7", with the link to it where a connected tool has the document. */
const placeOf = ({ document, heading, line }: Passage, origins: Origins): string => {
  const { url } = origins.get(document) ?? {};
  return [document, ...(heading === null ? [] : [`“${heading}”`]), `line ${line}`, ...(url ? [url] : [])].join(', ');
};

/** Says of quoted documents of connected tools that the whole company may read them; empty where there are none. */
function describeReaders({ passages }: Found, origins: Origins): string[] {
  const tools = new Set(passages.flatMap(({ document }) => origins.get(document)?.tool ?? []));
  return tools.size === 0
    ? []
    : [
        `${[...tools].join(' and ')} ${tools.size === 1 ? 'is' : 'are'} connected for the whole company: everybody who uses Arc there may read these quotes, whatever the tool itself lets them see.`,
      ];
}

/** Sentences about what was read and what was not; they claim nothing about the subject. */
function describeReach({ passages, read, unread, missing }: Found): string[] {
  const documents = new Set(passages.map(({ document }) => document)).size;
  return [
    passages.length > 0
      ? `${counted(passages.length, 'sentence')} of ${counted(documents, 'document')} ${passages.length === 1 ? 'speaks' : 'speak'} of it; ${counted(read, 'document was', 'documents were')} read.`
      : `No sentence of the ${counted(read, 'document')} that ${read === 1 ? 'was' : 'were'} read speaks of it.`,
    ...(missing.length > 0 ? [`In none of them: ${missing.map((word) => `“${word}”`).join(', ')}.`] : []),
    ...(unread.length > 0 ? [`Not read: ${unread.join('; ')}.`] : []),
    'Sentences were found by words. One that says it in other words is not here, and none was judged to be right or up to date.',
  ];
}

/** The links to quoted documents of connected tools, and who may read them. */
function linksOf(found: Found, origins: Origins): WordBlock[] {
  const names = [...new Set(found.passages.map(({ document }) => document))];
  const links = names.flatMap((name) => {
    const origin = origins.get(name);
    return origin ? [[`${name}, in ${origin.tool}: ${origin.url}`]] : [];
  });
  if (links.length === 0) return [];
  return [
    { kind: 'list', items: links },
    { kind: 'text', runs: describeReaders(found, origins) },
  ];
}

/** The brief as a Word document: quotes with their places, and what is not in the documents. */
export function composeBrief({ question, found, day, origins = NO_ORIGINS }: BriefInput): WordDocument {
  const heading = (text: string): WordBlock => ({ kind: 'heading', level: 1, text });
  const groups = byDocument(found.passages);
  return {
    title: 'Brief',
    subtitle: question,
    state: `Draft of ${day}`,
    cover: [
      { label: 'Question', runs: [question] },
      { label: 'Documents read', runs: [String(found.read)] },
      { label: 'Quotes', runs: [String(found.passages.length)] },
      { label: 'Made by', runs: ['Arc, by rules and without a language model'] },
    ],
    footer: `Draft of ${day}. Every sentence in quotation marks stands so in the document that is named with it.`,
    author: 'Arc',
    parts: [
      {
        isLandscape: false,
        blocks: [
          heading('What the documents say'),
          ...(groups.length === 0 ? [{ kind: 'text' as const, runs: ['Nothing was found.'] }] : []),
          ...groups.flatMap(({ document, quotes }): WordBlock[] => [
            { kind: 'heading', level: 2, text: document },
            { kind: 'list', items: quotes.map(({ number, quote }) => [`“${quote}” [${number}]`]) },
          ]),
          heading('What is not in them'),
          { kind: 'list', items: describeReach(found).map((text) => [text]) },
          heading('Sources'),
          {
            kind: 'table',
            caption: 'Where each quote stands',
            head: ['No.', 'Document', 'Under', 'Line'],
            rows: found.passages.map(({ document, heading: under, line }, at) => [
              String(at + 1),
              document,
              under ?? '–',
              String(line),
            ]),
            widths: [1, 5, 5, 1],
          },
          ...linksOf(found, origins),
        ],
      },
    ],
  };
}

/** The brief for the chat. */
export function describeBrief({ question, found, origins = NO_ORIGINS }: Omit<BriefInput, 'day'>): string {
  return [
    `**${question}**`,
    ...byDocument(found.passages).flatMap(({ document, quotes }) => [
      `**${document}**`,
      ...quotes.map(({ number, quote }) => `• “${quote}” [${number}]`),
    ]),
    '**What is not in them**',
    ...describeReach(found).map((text) => `• ${text}`),
    ...(found.passages.length > 0
      ? ['**Sources**', ...found.passages.map((passage, at) => `[${at + 1}] ${placeOf(passage, origins)}`)]
      : []),
    ...describeReaders(found, origins),
  ].join('\n');
}

const inOneLine = (text: string): string =>
  text
    .replace(/\*\*/g, '')
    .replace(/[\s–]+/g, ' ')
    .trim();

/**
 * Checks a brief against the documents: every quote stands in its document, word for word.
 * @returns what differs, in sentences; empty where every quote is right
 */
export function checkQuotes(
  passages: readonly Passage[],
  documents: readonly { name: string; text: string | null }[],
): string[] {
  const texts = new Map(documents.map(({ name, text }) => [name, inOneLine(text ?? '')]));
  return passages
    .filter(({ document, quote }) => !texts.get(document)?.includes(inOneLine(quote)))
    .map(({ document, quote }) => `“${quote}” is not in ${document}.`);
}
