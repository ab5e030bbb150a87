import type { ScopeOption } from '../../../models/contracts/connectorScope.ts';

/** Longest name of a place that is kept with the choice. */
const MAX_NAME = 200;

/** A place of a tool, e.g. a folder. */
type NamedPlace = { id: string; name: string };

/** A place as an option: it is chosen by its id and its name, "1AbC/Reports". The id holds no slash. */
export const optionOf = ({ id, name }: NamedPlace, label = name): ScopeOption => ({
  value: `${id}/${name.slice(0, MAX_NAME)}`,
  label,
});

/** The chosen place. */
export function readOption(value = ''): NamedPlace {
  const at = value.indexOf('/');
  return { id: value.slice(0, at), name: value.slice(at + 1) };
}

/** Options by their labels, as people look for them. */
export const inOrder = (options: readonly ScopeOption[]): ScopeOption[] =>
  options.toSorted((one, other) => one.label.localeCompare(other.label));
