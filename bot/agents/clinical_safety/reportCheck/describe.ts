import type { CheckedReport } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import { counted } from '../counted.ts';

const MAX_LINES = 12;
const bullets = (lines: readonly string[]): string[] =>
  lines.length <= MAX_LINES
    ? lines.map((line) => `• ${line}`)
    : [...lines.slice(0, MAX_LINES).map((line) => `• ${line}`), `• and ${lines.length - MAX_LINES} more`];

const NOT_JUDGED =
  'I compare words and figures by rules. Whether the report is right and complete is for your Clinical Safety Officer.';

/** What was found in a report, for people. */
export function describeReport(report: CheckedReport): string {
  const { fileName, isReport, seems, sections, facts, placeholders, placeholderCount, comparedWith, checks } = report;
  if (!isReport)
    return seems
      ? `${fileName} is not a safety case report: it reads as ${seems}. Nothing else was judged.`
      : `${fileName} is not a safety case report: it has too few of a report’s sections. Nothing else was judged.`;
  const of = (state: 'missing' | 'empty') =>
    sections
      .filter((section) => section.state === state)
      .map(({ name, clause }) => (clause ? `${name} (${clause})` : name));
  const [missing, empty] = [of('missing'), of('empty')];
  const differs = checks.filter(({ outcome }) => outcome === 'differs').map(({ title }) => title);
  const silent = checks.filter(({ outcome }) => outcome === 'not-stated').map(({ title }) => title);
  const agreeing = checks.filter(({ outcome }) => outcome === 'agrees').length;
  const said = [
    facts.product && `product ${facts.product}`,
    facts.version && `version ${facts.version}`,
    facts.date && `date ${facts.date}`,
    facts.status && `status ${facts.status}`,
  ].filter(Boolean);
  const found = sections.filter(({ state }) => state === 'found').length;
  return [
    `${fileName} is a safety case report: ${found} of ${sections.length} sections have content, ${empty.length} ${empty.length === 1 ? 'is' : 'are'} empty, ${missing.length} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    ...(said.length > 0 ? [`It says of itself: ${said.join(', ')}.`] : []),
    ...(missing.length > 0 ? ['**Missing**', ...bullets(missing)] : []),
    ...(empty.length > 0 ? ['**Empty or only from a template**', ...bullets(empty)] : []),
    ...(placeholderCount > 0
      ? [
          `**${counted(placeholderCount, 'place')} left open**`,
          ...bullets([...new Set(placeholders.map(({ text, under }) => (under ? `${text}, under “${under}”` : text)))]),
        ]
      : []),
    ...(comparedWith === null
      ? ['There is no analysis of a hazard log yet, so nothing was compared with one.']
      : [
          `**Compared with ${comparedWith}**: ${counted(agreeing, 'check agrees', 'checks agree')}, ${differs.length} differ${differs.length === 1 ? 's' : ''}.`,
          ...bullets(differs),
          ...(silent.length > 0 ? ['Not compared:', ...bullets(silent)] : []),
        ]),
    NOT_JUDGED,
  ].join('\n');
}
