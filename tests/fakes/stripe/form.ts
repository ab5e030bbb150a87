export type Fields = { [name: string]: string | Fields };

/** Reads a form with names in brackets, `items[0][price]`, as Stripe does; lists are objects with numbers as names. */
export function readForm(text: string): Fields {
  const fields: Fields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split(/\]?\[|\]$/).filter((part) => part !== '');
    let at = fields;
    let last = first;
    for (const part of rest) {
      at[last] ??= {};
      at = at[last] as Fields;
      last = part;
    }
    at[last] = value;
  }
  return fields;
}

/** The value at a path, e.g. `line_items.0.price`; empty where there is none. */
export function valueAt(fields: Fields, path: string): string {
  let at: string | Fields | undefined = fields;
  for (const part of path.split('.')) at = typeof at === 'object' ? at[part] : undefined;
  return typeof at === 'string' ? at : '';
}
