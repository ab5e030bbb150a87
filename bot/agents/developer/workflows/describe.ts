import { type App, type Field, KINDS } from '../apps/app.ts';
import { describeFormula } from '../objective/readFormula.ts';

const described = ({ label, type, options, isRequired, min, max }: Field): string => {
  const more = [
    ...(type === 'choice'
      ? [options.join(' / ')]
      : type === 'text'
        ? []
        : [type === 'long' ? 'long text' : type === 'check' ? 'yes or no' : type]),
    ...(min !== null && max !== null ? [`${min} to ${max}`] : []),
    ...(isRequired ? ['required'] : []),
  ];
  return more.length > 0 ? `${label} (${more.join(', ')})` : label;
};

/** What is going to be built, in sentences. */
export function describePlan(app: App): string {
  const { kind, title, fields, rules, columns, points, call, formula, isDemonstration, isAssumed } = app;
  const labelOf = (id: string) => fields.find((field) => field.id === id)?.label ?? '';
  return [
    `${KINDS[kind]} “${title}”.`,
    columns.length > 0 ? `Columns: ${columns.join(', ')}.` : '',
    points.length > 0 ? `Points: ${points.join('; ')}.` : '',
    kind === 'landing' ? `Button: ${call ?? 'Get in touch'}.` : '',
    fields.length > 0
      ? `Fields: ${fields.map(described).join('; ')}${isAssumed ? ' (nobody named any, so these are the usual ones)' : ''}.`
      : '',
    ...rules.map(({ field, when, is }) => `${labelOf(field)} is required when ${labelOf(when)} is ${is}.`),
    formula.length > 0
      ? `It works out ${describeFormula(formula, fields)}.`
      : kind === 'calculator'
        ? 'It adds the fields up: give a formula as “calculator for …: price times quantity”.'
        : '',
    isDemonstration
      ? 'Its words are about patients or doses, so it says that it is a demonstration and not for use with patients.'
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Examples of wishes. */
export const WISHES =
  'For example: add deadline; remove note; rename owner to lead; make name required; call it Night shift; make it green.';
