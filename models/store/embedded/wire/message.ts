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
const KNOWN_REQUIRED_FLAGS = CHECKSUM | MORE_TO_COME;

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

/** Parses one whole message; throws on anything malformed, after which the connection is closed. */
export function parseMessage(bytes: Buffer): Request {
  const id = int32(bytes, 4);
  const operation = int32(bytes, 12);
  if (operation === OP_MSG) return parseMsg(bytes, id);
  if (operation === OP_QUERY) return parseQuery(bytes, id);
  fail('IllegalOperation', `unsupported operation code ${operation}`);
}

const rawList = (bytes: Buffer, at: number): Buffer[] =>
  [...elementsOf(bytes, at)].map(([type, offset]) => {
    if (type !== 3) fail('TypeMismatch', 'a list of documents holds something else');
    return bytes.subarray(offset, offset + int32(bytes, offset));
  });

function requestOf(bytes: Buffer, at: number, id: number, sections: Map<string, Buffer[]>): Request {
  const body = readDoc(bytes, at, RAW_LISTS);
  const name = body.keys().next().value ?? '';
  const db = body.get('$db');
  const request: Request = {
    id,
    legacy: false,
    silent: false,
    name,
    db: typeof db === 'string' ? db : 'admin',
    body,
    list(field) {
      const section = sections.get(field);
      if (section) return section;
      const key = Buffer.from(field);
      const element = seek(bytes, at, key);
      if (element < 0) fail(40414, `BSON field '${name}.${field}' is missing but a required field`);
      if (bytes[element] !== 4) fail('TypeMismatch', `BSON field '${name}.${field}' must be of type 'array'`);
      return rawList(bytes, element + key.length + 2);
    },
    documents: (field) => request.list(field).map((raw) => readDoc(raw)),
  };
  return request;
}

function parseMsg(bytes: Buffer, id: number): Request {
  const flags = int32(bytes, 16);
  if ((flags & 0xffff & ~KNOWN_REQUIRED_FLAGS) !== 0) fail('IllegalOperation', 'OP_MSG with unknown required flags');
  const end = bytes.length - (flags & CHECKSUM ? 4 : 0);
  const sections = new Map<string, Buffer[]>();
  let body = -1;
  let at = 20;
  while (at < end) {
    const kind = bytes[at++];
    if (kind === 0) {
      if (body >= 0) fail('InvalidBSON', 'OP_MSG with two bodies');
      body = at;
      at = validate(bytes, at, end);
    } else if (kind === 1) {
      at = parseSection(bytes, at, end, sections);
    } else fail('InvalidBSON', `OP_MSG with unknown section ${kind}`);
  }
  if (body < 0 || at !== end) fail('InvalidBSON', 'OP_MSG without a body');
  const request = requestOf(bytes, body, id, sections);
  request.silent = (flags & MORE_TO_COME) !== 0;
  return request;
}

function parseSection(bytes: Buffer, at: number, limit: number, sections: Map<string, Buffer[]>): number {
  if (at + 5 > limit) fail('InvalidBSON', 'section is cut short');
  const end = at + int32(bytes, at);
  if (end > limit || end < at + 6) fail('InvalidBSON', 'section has a wrong length');
  let nameEnd = at + 4;
  while (nameEnd < end && bytes[nameEnd] !== 0) nameEnd++;
  if (nameEnd === end) fail('InvalidBSON', 'section name is not ended');
  const docs: Buffer[] = [];
  let offset = nameEnd + 1;
  while (offset < end) {
    const next = validate(bytes, offset, end);
    docs.push(bytes.subarray(offset, next));
    offset = next;
  }
  sections.set(bytes.utf8Slice(at + 4, nameEnd), docs);
  return end;
}

/** The old OP_QUERY, which clients send first of all to say hello. */
function parseQuery(bytes: Buffer, id: number): Request {
  let end = 20;
  while (end < bytes.length && bytes[end] !== 0) end++;
  const ns = bytes.utf8Slice(20, end);
  const at = end + 9;
  validate(bytes, at, bytes.length);
  if (!ns.endsWith('.$cmd')) fail('IllegalOperation', 'OP_QUERY is only served for commands');
  const request = requestOf(bytes, at, id, new Map());
  return { ...request, legacy: true, db: ns.slice(0, -5) };
}

let replyId = 1;

/** Bytes before the document of a reply. */
export const REPLY_HEADER = 21;
const LEGACY_HEADER = 36;

/** Frames a reply: a document, or bytes that leave REPLY_HEADER bytes free in front. */
export function frameReply(request: Request, reply: Doc | Buffer): Buffer {
  const free = request.legacy ? LEGACY_HEADER : REPLY_HEADER;
  const made = Buffer.isBuffer(reply) ? reply : Buffer.concat([Buffer.alloc(free), writeDoc(reply)]);
  const out =
    request.legacy && Buffer.isBuffer(reply) ? Buffer.concat([Buffer.alloc(free), reply.subarray(REPLY_HEADER)]) : made;
  header(out, request.id, request.legacy ? OP_REPLY : OP_MSG);
  // The old reply says that the server can wait for data, and how many documents it holds.
  if (request.legacy) {
    out.writeInt32LE(8, 16);
    out.writeInt32LE(1, 32);
  }
  return out;
}

function header(out: Buffer, responseTo: number, operation: number): void {
  replyId = (replyId + 1) & 0x7fffffff;
  out.writeInt32LE(out.length, 0);
  out.writeInt32LE(replyId, 4);
  out.writeInt32LE(responseTo, 8);
  out.writeInt32LE(operation, 12);
}
