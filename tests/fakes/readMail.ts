/** Turns the bytes of a quoted-printable text into those that it stands for. */
const unquote = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(parseInt(hex, 16)));

const asUtf8 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('utf8');

/** Decodes words such as `=?UTF-8?Q?Clara=E2=80=99s?=` (RFC 2047). */
const readWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_whole, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('latin1')
        : unquote(word.replaceAll('_', ' ')),
    );

function readHeaders(head: string): Record<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), asUtf8(readWords(line.slice(at + 1).trim()))];
    }),
  );
}

/** Headers and body of a mail or of one of its parts. */
function split(source: string): { headers: Record<string, string>; body: string } {
  const at = source.indexOf('\r\n\r\n');
  return { headers: readHeaders(source.slice(0, at)), body: source.slice(at + 4) };
}

function decode({ headers, body }: ReturnType<typeof split>): string {
  const encoding = headers['content-transfer-encoding']?.toLowerCase();
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('latin1')
      : encoding === 'quoted-printable'
        ? unquote(body)
        : body;
  return asUtf8(bytes).replaceAll('\r\n', '\n').trimEnd();
}

/** Reads a mail as mail programs do: its headers, and its text and its HTML, decoded. Each is empty where it has none. */
export function readMail(source: string) {
  const mail = split(source);
  const boundary = /boundary="([^"]+)"/.exec(mail.headers['content-type'] ?? '')?.[1];
  const parts = boundary
    ? mail.body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((it) => split(it.trimStart()))
    : [mail];
  const of = (type: string) => {
    const part = parts.find(({ headers }) => (headers['content-type'] ?? 'text/plain').startsWith(type));
    return part ? decode(part) : '';
  };
  return { subject: mail.headers.subject ?? '', text: of('text/plain'), html: of('text/html'), headers: mail.headers };
}
