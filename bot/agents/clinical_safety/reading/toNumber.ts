const MAX_LENGTH = 40;

/** Text files have no numbers: a field that is nothing but one is read as one. Null for any other. */
export function toNumber(field: string): number | null {
  return field.length <= MAX_LENGTH && /^-?\d+(?:\.\d+)?$/.test(field.trim()) ? Number(field) : null;
}
