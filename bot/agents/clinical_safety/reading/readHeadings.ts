import { normaliseHeader, type Phase, splitPhase } from './headerWords.ts';
import { type HeaderMatch, matchHeader } from './matchHeader.ts';
import { type Letters, lettersOf, numberedFromZero, readLetter } from './ratingLetters.ts';

/** A heading of a table; the phase is that of the group above it. */
export type Header = { text: string; column: number; phase: Phase | null };

const SEVERITY_NUMBERED = /^s(?:ev(?:erity)?)?[ ._-]?([12])$/i;

/** Beside S1 and S2, P1 and P2 are the likelihoods before and after controls. */
function numberedLikelihood(heading: string): HeaderMatch | null {
  const number = /^p ?([12])$/i.exec(heading.trim())?.[1];
  return number ? { meaning: 'likelihood', phase: number === '1' ? 'initial' : 'residual', score: 1 } : null;
}

/** Beside L for likelihood, C is the consequence; beside L2, C2. */
function consequenceLetter({ text, phase }: Header, letters: ReadonlySet<string>): HeaderMatch | null {
  const [letter, number] = /^c([12])?$/i.exec(text.trim()) ?? [];
  if (letter === undefined || !letters.has(`l${number ?? ''}`)) return null;
  return { meaning: 'severity', phase: number === '1' ? 'initial' : number === '2' ? 'residual' : phase, score: 1 };
}

/** Reads the headings of a row, each with what it stands for where that is known. */
export function readHeadings(headers: readonly Header[], key: Letters): (header: Header) => HeaderMatch | null {
  const texts = headers.map(({ text }) => text);
  const letters = lettersOf(texts, key);
  const fromZero = numberedFromZero(texts);
  const isNumbered = ['1', '2'].every((number) => texts.some((text) => SEVERITY_NUMBERED.exec(text)?.[1] === number));
  const own = new Set(texts.map((text) => text.trim().toLowerCase()));
  const read = (header: Header): HeaderMatch | null => {
    const { phase, rest } = splitPhase(normaliseHeader(header.text));
    // "B" is before controls, "B neu" after.
    const whole = readLetter(header.text, letters);
    const letter = whole === undefined ? letters.get(rest.toUpperCase()) : whole;
    if (letter !== undefined) return letter && { meaning: letter, phase: header.phase ?? phase, score: 1 };
    return (
      fromZero(header.text) ??
      (isNumbered ? numberedLikelihood(header.text) : null) ??
      consequenceLetter(header, own) ??
      matchHeader(header.text, header.phase)
    );
  };
  return (header) => read(header) ?? classBehind(header, headers, read);
}

/** "Class", "Zone": what comes of a severity and a likelihood where it stands right behind them. */
function classBehind(
  header: Header,
  headers: readonly Header[],
  read: (header: Header) => HeaderMatch | null,
): HeaderMatch | null {
  const { phase, rest } = splitPhase(normaliseHeader(header.text));
  if (!CLASS.test(rest)) return null;
  const before = [2, 1].map((back) => headers.find(({ column }) => column === header.column - back));
  const matches = before.map((one) => one && read(one));
  const meanings = matches.map((match) => match?.meaning);
  if (!meanings.includes('severity') || !meanings.includes('likelihood')) return null;
  return { meaning: 'risk', phase: phase ?? matches[1]?.phase ?? header.phase, score: 0.8 };
}
const CLASS = /^(?:class|zone|band|region|rag|colou?r|level|category|result|tolerability|acceptability)$/i;
