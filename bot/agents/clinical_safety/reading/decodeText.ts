/**
 * The text of a file in any encoding, without its byte order mark: marks first, then UTF-16 by its zeros, UTF-8 if
 * valid, else Windows-1252.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder().decode(bytes);
  const wide = zerosAt(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** What 0x80 to 0x9F stand for in Windows-1252. Node's own decoder takes them for control characters in some versions. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80] ?? character);
}

/** UTF-16 without a mark: Western text has a zero in every other byte. */
function zerosAt(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const length = Math.min(bytes.length, 2000) & ~1;
  if (length < 8) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  const half = length / 2;
  if (odd > half * 0.6 && even < half * 0.1) return 'utf-16le';
  if (even > half * 0.6 && odd < half * 0.1) return 'utf-16be';
  return null;
}

/** Text holds next to no control characters; programs, pictures and archives do. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (zerosAt(bytes) || (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return false;
  const length = Math.min(bytes.length, 8000);
  let odd = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) return true;
    if (byte < 9 || (byte > 13 && byte < 32)) odd += 1;
  }
  return odd > length / 50;
}
