// Verifies a release file of Arc without Arc, and without packages: node verify-release.mjs FILE.zip [--key FINGERPRINT]
// docs/release-file.md says what each check means.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const [file, flag, wantedKey] = process.argv.slice(2);
if (!file || (flag !== undefined && (flag !== '--key' || !wantedKey))) {
  process.stderr.write('Usage: node verify-release.mjs FILE.zip [--key FINGERPRINT]\n');
  process.exit(2);
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const print = (line) => process.stdout.write(`${line}\n`);
let faults = 0;

/** Prints what was checked; a fault counts. */
function check(isWell, what, fault = what) {
  print(isWell ? `OK     ${what}` : `FAULT  ${fault}`);
  if (!isWell) faults += 1;
  return isWell;
}

/** The files of a zip archive by name. */
function readZip(bytes) {
  const files = new Map();
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== 0x06054b50) end -= 1;
  if (end < 0) throw new Error('This is not a zip archive.');
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + size);
    const fileName = bytes.toString('utf8', at + 46, at + 46 + name);
    if (files.has(fileName)) throw new Error(`${fileName} is in the archive twice.`);
    files.set(fileName, method === 0 ? packed : inflateRawSync(packed));
    at += 46 + name + extra + comment;
  }
  return files;
}

/** The hash of a row of the audit chain, over its fields and the hash of the row before it. */
const hashOfRow = (row) =>
  sha256(
    JSON.stringify([
      row.accountId,
      row.seq,
      row.key,
      row.event,
      row.userId,
      row.surface,
      row.subject,
      row.shownDigest,
      row.outcome,
      row.at,
      row.prevHash,
    ]),
  );

function checkManifest(files, manifest) {
  const bytes = files.get('manifest.json');
  const key = Buffer.from(manifest.publicKey, 'base64');
  const signature = Buffer.from(String(files.get('manifest.sig') ?? ''), 'base64');
  const publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
  check(verify(null, bytes, publicKey, signature), 'the signature of the manifest');
  const fingerprint = sha256(key);
  if (wantedKey)
    check(
      wantedKey.toLowerCase() === fingerprint,
      'the key is the one you named',
      `signed with another key: ${fingerprint}`,
    );
  else print(`NOTE   signed with the key ${fingerprint}; compare it with what the company told you`);
}

function checkFiles(files, manifest) {
  const listed = new Map(manifest.files.map((it) => [it.name, it]));
  for (const name of files.keys())
    if (!listed.has(name) && !name.startsWith('manifest.')) check(false, '', `${name} is not in the manifest`);
  for (const { name, bytes, sha256: digest } of listed.values()) {
    const found = files.get(name);
    check(
      found?.length === bytes && sha256(found) === digest,
      name,
      found ? `${name} was altered` : `${name} is missing`,
    );
  }
  const evidence = files.get('evidence.json');
  check(
    Boolean(evidence) && sha256(evidence) === manifest.evidenceDigest,
    'the evidence digest',
    'the evidence has another digest',
  );
}

function checkChain(text, { chain, evidenceDigest }) {
  const rows = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  let before = chain.prevHash;
  for (const [index, row] of rows.entries()) {
    const follows = row.accountId === chain.accountId && row.seq === chain.from + index && row.prevHash === before;
    if (!follows || row.hash !== hashOfRow(row))
      return check(false, '', `row ${row.seq} of the audit chain was altered`);
    before = row.hash;
  }
  const last = rows.at(-1);
  const isWhole = last?.seq === chain.to && last.hash === chain.head;
  if (!check(isWhole, `the audit chain, rows ${chain.from} to ${chain.to}`, 'the audit chain does not end at its head'))
    return;
  check(
    last.event === 'release.made' && last.shownDigest === evidenceDigest,
    'the release is the last row, with this evidence',
    'the audit chain records another evidence',
  );
}

try {
  const files = readZip(readFileSync(file));
  const manifest = JSON.parse(String(files.get('manifest.json') ?? 'null'));
  if (manifest?.format !== 'arc-release/1') throw new Error('This is not a release file that this script can verify.');
  print(
    `${manifest.company}, analysis ${manifest.analysis.id} of ${manifest.analysis.logFileName}, released ${manifest.madeAt}`,
  );
  checkManifest(files, manifest);
  checkFiles(files, manifest);
  checkChain(String(files.get('audit.jsonl') ?? ''), manifest);
  print(`Head of the audit chain: row ${manifest.chain.to}, ${manifest.chain.head}`);
} catch (error) {
  check(false, '', `it can't be read: ${error.message}`);
}
print(
  faults === 0 ? 'Verified: nothing was altered.' : `Not verified: ${faults} ${faults === 1 ? 'fault' : 'faults'}.`,
);
process.exitCode = faults === 0 ? 0 : 1;
