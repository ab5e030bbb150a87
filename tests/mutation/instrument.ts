import type { Host, Mutant } from './mutants.ts';

const ORDER: Host['kind'][] = ['statement', 'element', 'property', 'expression'];
const changed = (source: string, { host, change }: Mutant) =>
  source.slice(host.start, change.start) + change.text + source.slice(change.end, host.end);

/** The source of a host, wrapped in the switches of its mutants. */
function wrap(source: string, { kind }: Host, mutants: Mutant[], inside: string): string {
  const isOn = mutants.map(({ number }) => `__mutant(${number})`).join(' || ');
  if (kind === 'statement') return `{ if (!(${isOn})) { ${inside} } }`;
  if (kind === 'property') return `...((${isOn}) ? {} : { ${inside} })`;
  if (kind === 'element') return `...((${isOn}) ? [] : [${inside}])`;
  const switches = mutants.map((mutant) => `__mutant(${mutant.number}) ? (${changed(source, mutant)}) : `);
  return `(${switches.join('')}(${inside}))`;
}

/**
 * Inserts every mutant of a source behind a switch that is off: `a < b` becomes `(__mutant(7) ? (a <= b) : (a < b))`.
 * The switch also records that it was reached, and whether during the loading of a module, which each module reports
 * itself.
 * @param switchFile the module that the file imports the switch from
 */
export function instrument(source: string, mutants: Mutant[], switchFile: string): string {
  const hosts = new Map<string, { host: Host; mutants: Mutant[] }>();
  for (const mutant of mutants) {
    const key = `${mutant.host.kind} ${mutant.host.start} ${mutant.host.end}`;
    const known = hosts.get(key);
    if (known) known.mutants.push(mutant);
    else hosts.set(key, { host: mutant.host, mutants: [mutant] });
  }
  // Outer hosts come before inner ones, so that each finds its inner ones in its own text.
  const sorted = [...hosts.values()].sort(
    ({ host: one }, { host: other }) =>
      one.start - other.start || other.end - one.end || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind),
  );
  let next = 0;
  const render = (start: number, end: number): string => {
    let text = '';
    let at = start;
    for (let entry = sorted[next]; entry && entry.host.start < end; entry = sorted[next]) {
      next += 1;
      const inside = render(entry.host.start, entry.host.end);
      text += source.slice(at, entry.host.start) + wrap(source, entry.host, entry.mutants, inside);
      at = entry.host.end;
    }
    return text + source.slice(at, end);
  };
  // On the first line, so that the source keeps its line numbers.
  return `import { __enter, __leave, __mutant } from '${switchFile}'; __enter(); ${render(0, source.length)}__leave();`;
}
