import { existsSync, mkdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CHANNELS } from '../../../models/contracts/channels.ts';
import { type Environment, env, isConfigured } from '../../../models/env.ts';
import { type Check, fault, hint, ok } from './check.ts';

const GIB = 2 ** 30;
/** Node 20 is past its end of life. */
const MAINTAINED_NODE = 22;

const inGib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`;

/** What is encrypted can be read again only with its key, wherever that is kept. */
const keepCopy = ({ ENCRYPTION_KEY }: Environment, file: string) => [
  hint(
    'A backup does not hold the encryption key.',
    `Keep a copy of ${ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : file} apart from the backups.`,
  ),
];

/** Checks of the machine and the environment, which need no store. */
export const serverChecks = (from: Environment = env): Check[] => [
  {
    subject: 'Node',
    async look() {
      const major = Number(process.versions.node.split('.')[0]);
      return major >= MAINTAINED_NODE
        ? [ok(process.version)]
        : [hint(`${process.version} gets no security fixes any more.`, 'Install Node 24.')];
    },
  },
  {
    subject: 'Disk',
    async look() {
      mkdirSync(from.DATA_DIR, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(from.DATA_DIR);
      return [judgeSpace(bavail * bsize, resolve(from.DATA_DIR))];
    },
  },
  {
    subject: 'Address',
    async look() {
      if (from.BASE_URL.startsWith('https://')) return [ok(from.BASE_URL)];
      const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(from.HOST) && from.BASE_URL === '';
      return isLocal
        ? [ok(`for this machine alone, port ${from.PORT}`)]
        : [
            fault(
              `${from.BASE_URL || `${from.HOST}:${from.PORT}`} is not https, so passwords and cookies can be read on the way.`,
              'Put a proxy with a certificate in front, and set BASE_URL to its https address and TRUST_PROXY=1.',
            ),
          ];
    },
  },
  {
    subject: 'Keys',
    async look() {
      if (from.SESSION_SECRET && from.ENCRYPTION_KEY) return [ok('from the environment'), ...keepCopy(from, '')];
      const file = join(from.DATA_DIR, 'keys.json');
      if (!existsSync(file))
        return [
          ok(
            from.ENCRYPTION_KEY
              ? 'ENCRYPTION_KEY is set; the secret of sessions will be made at the first start'
              : 'will be made at the first start',
          ),
        ];
      const isOpen = (statSync(file).mode & 0o077) !== 0;
      if (isOpen) return [fault(`${file} can be read by others.`, `chmod 600 ${file}`), ...keepCopy(from, file)];
      return [
        ok(from.ENCRYPTION_KEY ? `ENCRYPTION_KEY is set; the secret of sessions is in ${file}` : `in ${file}`),
        ...keepCopy(from, file),
      ];
    },
  },
  {
    subject: 'Channels',
    look: async () =>
      CHANNELS.filter(({ isRemote }) => isRemote).map((card) =>
        isConfigured(card)
          ? ok(`${card.name} is set up`)
          : hint(`${card.name} is off.`, `To use it, set ${card.needs.join(', ')}.`),
      ),
  },
  {
    subject: 'Contact',
    async look() {
      return from.LEGAL_CONTACT
        ? [ok(from.LEGAL_CONTACT)]
        : [
            hint(
              'People are told to ask “the administrator of this server”.',
              'Set LEGAL_CONTACT to an e-mail or page.',
            ),
          ];
    },
  },
];

/** How much is left on the disk that holds the data. */
export function judgeSpace(free: number, directory: string) {
  const text = `${inGib(free)} free in ${directory}`;
  if (free < GIB) return fault(`${text}.`, 'Make room: with a full disk nothing can be stored.');
  return free < 5 * GIB ? hint(`${text}.`, 'Make room soon.') : ok(text);
}
