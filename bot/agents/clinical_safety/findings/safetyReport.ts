/** The facts of a clinical safety case report that the rules use. */
export type SafetyReport = {
  fileName: string;
  /** The hazard log's version according to the report; null where it gives none. */
  logVersion: string | null;
  hazardCount: number | null;
  /** Hazard ids in the report. */
  hazardIds: string[];
  /** Text of its section on transferred or external controls; null where it has none. */
  transferredControls: string | null;
};

const COUNT_WORDS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

function readCount(text: string): number | null {
  const match =
    /\b(\d{1,4}|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+(?:clinical |identified |distinct )?hazards\b(?:\s+(?:were|was|have been|are|identified|in the hazard log))?/i.exec(
      text,
    );
  if (!match?.[1]) return null;
  const word = match[1].toLowerCase();
  return /^\d/.test(word) ? Number(word) : COUNT_WORDS.indexOf(word);
}

/**
 * Reads the facts from a report's text (Markdown or plain), by the words around them rather than by section numbers.
 */
export function readSafetyReport(text: string, fileName: string): SafetyReport {
  const version = /hazard log[^.\n|]{0,60}?\bv(?:ersion)?[\s.:|]*(\d{1,3}(?:\.\d{1,3}){0,2})/i.exec(text)?.[1] ?? null;
  const section =
    /^(#+|\d{1,3}(?:\.\d{1,3}){0,5})[ .\t]{1,20}[^\n]{0,300}(?:transferred|external) (?:controls?|risks?|hazards?)[^\n]*\n([\s\S]*?)(?=^(?:#+|\d+(?:\.\d+)*)[ .\t]+\S|(?![\s\S]))/im.exec(
      text,
    );
  return {
    fileName,
    logVersion: version,
    hazardCount: readCount(text),
    hazardIds: [...new Set([...text.matchAll(/\b(?:[A-Z]{1,5}-?\d{1,4}|Hazard \d{1,3})\b/g)].map(([id]) => id))],
    transferredControls: section?.[2]?.trim() || null,
  };
}
