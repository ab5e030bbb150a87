import { Binary, BSONRegExp, Code, Decimal128, Double, isDoc, ObjectId, Timestamp, type Value } from './value.ts';

/** A value the way MongoDB writes it into messages: { a: 1, b: "x", c: ObjectId('…') }. */
export function show(value: Value): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(show).join(', ')} ]`;
  if (isDoc(value))
    return value.size === 0 ? '{}' : `{ ${[...value].map(([name, item]) => `${name}: ${show(item)}`).join(', ')} }`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Double) return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  if (value instanceof Decimal128) return value.toString();
  if (value instanceof Binary)
    return value.sub_type === 4
      ? `UUID("${value.toUUID().toString()}")`
      : `BinData(${value.sub_type}, ${value.toString('hex').toUpperCase()})`;
  if (value instanceof BSONRegExp) return `/${value.pattern}/${value.options}`;
  if (value instanceof Timestamp) return `Timestamp(${value.high}, ${value.low})`;
  if (value instanceof Code) return String(value.code);
  return value._bsontype;
}
