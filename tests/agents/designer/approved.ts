import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DRAWINGS } from './drawings.ts';

const MARK = '=== ';
const pathOf = (file: string) => `tests/agents/designer/approved/${file}`;

/** The approved drawings, by name. */
export const readApproved = (file: string): Map<string, string> =>
  new Map(
    readFileSync(pathOf(file), 'utf8')
      .split(new RegExp(`^${MARK}`, 'm'))
      .slice(1)
      .map((part) => {
        const [name = '', ...lines] = part.trimEnd().split('\n');
        return [name, lines.join('\n')] as const;
      }),
  );

/** Writes today's drawings; a person reads the difference line by line before it is committed. */
function approve(): void {
  for (const [file, make] of Object.entries(DRAWINGS))
    writeFileSync(
      pathOf(file),
      make()
        .map(([name, made]) => `${MARK}${name}\n${made}\n`)
        .join('\n'),
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) approve();
