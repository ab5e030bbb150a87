import { elementsOf, int32, readDoc, seek, validate } from '../bson/read.ts';
import type { Doc } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { fail } from '../errors.ts';

/** Messages are at most this many bytes. */
export const MAX_MESSAGE = 48_000_000;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM = 1;
const MORE_TO_COME = 2;
const REQUIRED_FLAGS = 0xffff;

/** One request of a client. */
export type Request = {
  id: number;
  legacy: boolean;
  /** The client wants no reply (write concern w: 0). */
  silent: boolean;
  /** The command's name as it was sent: the first field of the body. */
  name: string;
  db: string;
  body: Doc;
  /** The raw documents of a list field, whether they came in the body or as a section of their own. */
  list(field: string): Buffer[];
  /** The same, decoded. */
  documents(field: string): Doc[];
};

/** Fields of a body that are not decoded: large lists, and what this store does not use. */
const RAW_LISTS = new Set(['documents', 'updates', 'deletes', 'ops']);

const malformed = (what: string): never => fail('InvalidBSON', `a malformed message: ${what}`);

/** Parses one whole message; throws on anything malformed, after which the connection is closed. */
export function parseMessage(bytes: Buffer): Request {
  const operation = int32(bytes, 12);
  if (operation === OP_MSG) return parseMsg(bytes);
  if (operation === OP_QUERY) return parseQuery(bytes);
  return malformed(`operation ${operation}`);
}

const rawList = (bytes: Buffer, at: number): Buffer[] =>
  [...elementsOf(bytes, at)].map(([type, offset]) => {
    if (type !== 3) fail('TypeMismatch', 'a list of documents holds something else');
    return bytes.subarray(offset, offset + int32(bytes, offset));
  });

type Part = Pick<Request, 'silent' | 'legacy'> & { db?: string; sections?: Map<string, Buffer[]> };

function requestOf(bytes: Buffer, at: number, { db, sections, silent, legacy }: Part): Request {
  const body = readDoc(bytes, at, RAW_LISTS);
  const name = body.keys().next().value ?? '';
  const list = (field: string): Buffer[] => {
    const section = sections?.get(field);
    if (section) return section;
    const key = Buffer.from(field);
    const element = seek(bytes, at, key);
    if (element < 0) fail(40414, `BSON field '${name}.${field}' is missing but a required field`);
    if (bytes[element] !== 4) fail('TypeMismatch', `BSON field '${name}.${field}' must be of type 'array'`);
    return rawList(bytes, element + key.length + 2);
  };
  const given = db ?? body.get('$db');
  const documents = (field: string) => list(field).map((raw) => readDoc(raw));
  const named = typeof given === 'string' ? given : 'admin';
  return { id: int32(bytes, 4), legacy, silent, name, db: named, body, list, documents };
}

function parseMsg(bytes: Buffer): Request {
  const flags = int32(bytes, 16);
  if ((flags & REQUIRED_FLAGS & ~(CHECKSUM | MORE_TO_COME)) !== 0) malformed('unknown required flags');
  const end = bytes.length - (flags & CHECKSUM ? 4 : 0);
  const sections = new Map<string, Buffer[]>();
  let body = -1;
  let at = 20;
  while (at < end) {
    const kind = bytes[at++];
    if (kind === 1) at = parseSection(bytes, at, end, sections);
    else if (kind === 0 && body < 0) {
      body = at;
      at = validate(bytes, at, end);
    } else malformed(`unknown section ${kind}, or two bodies`);
  }
  if (body < 0 || at !== end) malformed('no body');
  return requestOf(bytes, body, { sections, legacy: false, silent: (flags & MORE_TO_COME) !== 0 });
}

function parseSection(bytes: Buffer, at: number, limit: number, sections: Map<string, Buffer[]>): number {
  if (at + 5 > limit) malformed('section is cut short');
  const end = at + int32(bytes, at);
  if (end > limit || end < at + 6) malformed('section has a wrong length');
  const nameEnd = bytes.indexOf(0, at + 4);
  if (nameEnd < 0 || nameEnd >= end) malformed('section name is not ended');
  const docs: Buffer[] = [];
  for (let offset = nameEnd + 1; offset < end; ) {
    const next = validate(bytes, offset, end);
    docs.push(bytes.subarray(offset, next));
    offset = next;
  }
  sections.set(bytes.utf8Slice(at + 4, nameEnd), docs);
  return end;
}

/** The old OP_QUERY, which clients send first of all to say hello. */
function parseQuery(bytes: Buffer): Request {
  const end = bytes.indexOf(0, 20);
  const ns = bytes.utf8Slice(20, end);
  if (end < 0 || !ns.endsWith('.$cmd')) malformed('OP_QUERY is only served for commands');
  validate(bytes, end + 9, bytes.length);
  return requestOf(bytes, end + 9, { db: ns.slice(0, -5), legacy: true, silent: false });
}

let replyId = 1;

/** Bytes before the document of a reply. */
export const REPLY_HEADER = 21;
const LEGACY_HEADER = 36;

/** Frames a reply: a document, or bytes that leave REPLY_HEADER bytes free in front. */
export function frameReply({ id, legacy }: Request, reply: Doc | Buffer): Buffer {
  const ready = Buffer.isBuffer(reply) && !legacy;
  const document = Buffer.isBuffer(reply) ? reply.subarray(REPLY_HEADER) : writeDoc(reply);
  const out = ready ? reply : Buffer.concat([Buffer.alloc(legacy ? LEGACY_HEADER : REPLY_HEADER), document]);
  replyId = (replyId + 1) & 0x7fffffff;
  const header = [out.length, replyId, id, legacy ? OP_REPLY : OP_MSG];
  // The old reply says that the server can wait for data, and how many documents it holds.
  if (legacy) header.push(8, 0, 0, 0, 1);
  for (const [i, field] of header.entries()) out.writeInt32LE(field, i * 4);
  return out;
}
