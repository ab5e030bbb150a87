import type { Property } from './api.ts';
import type { RichText } from './blocks.ts';

type Named = { name?: string } | null;
type Dates = { start?: string; end?: string | null } | null;

/** How a property is written, by its type; people, files and links to other pages are left out. */
const WRITERS: Record<string, (value: never) => string> = {
  rich_text: (texts: RichText[]) => texts.map(({ plain_text }) => plain_text).join(''),
  number: (value: number | null) => (value === null ? '' : String(value)),
  select: (value: Named) => value?.name ?? '',
  status: (value: Named) => value?.name ?? '',
  multi_select: (values: Named[]) => values.map((value) => value?.name ?? '').join(', '),
  checkbox: (value: boolean) => (value ? 'yes' : 'no'),
  date: (value: Dates) => [value?.start, value?.end].filter(Boolean).join(' to '),
  url: (value: string | null) => value ?? '',
};

/** The properties of a page that is a row of a table, a line each: "Status: Open". */
export const propertyLines = (properties: Readonly<Record<string, Property>>): string[] =>
  Object.entries(properties).flatMap(([name, property]) => {
    const written = WRITERS[property.type]?.(property[property.type] as never) ?? '';
    return written === '' ? [] : [`${name}: ${written}`];
  });
