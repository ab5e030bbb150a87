import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { baseUrl, env } from '../../../models/env.ts';

/** An address that Arc does not call. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]', '::1'];

/** Networks that are not the public internet: private, link-local, shared, reserved, multicast (RFC 6890). */
const NOT_PUBLIC: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Of IPv6 only global unicast is public, without the ranges that wrap or document other addresses. */
const PUBLIC_V6: [string, number] = ['2000::', 3];
const NOT_PUBLIC_V6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
const listOf = (nets: readonly [string, number][], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family);
  return list;
};
const blocked = listOf(NOT_PUBLIC, 'ipv4');
const publicV6 = listOf([PUBLIC_V6], 'ipv6');
const blockedV6 = listOf(NOT_PUBLIC_V6, 'ipv6');

/** Whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !blocked.check(address, 'ipv4');
  return isIP(address) === 6 && publicV6.check(address, 'ipv6') && !blockedV6.check(address, 'ipv6');
}

/** A server that only its own host can reach may call that host; any other must not reach into itself. */
const isServedOnLoopback = (from: typeof env) =>
  LOOPBACK_NAMES.includes(from.HOST) && LOOPBACK_NAMES.includes(new URL(baseUrl(from)).hostname);

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.');
const mayCall = (address: string, from: typeof env) =>
  isPublicAddress(address) || (isLoopback(address) && isServedOnLoopback(from));

/**
 * Why Arc does not call this URL; null where it does, as far as its text tells. Its host is resolved when it is
 * called.
 */
export function addressFault(url: string, from = env): string | null {
  if (!URL.canParse(url)) return 'This is not a web address.';
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) return 'Leave names and passwords out of the address.';
  const loops = LOOPBACK_NAMES.includes(hostname) && isServedOnLoopback(from);
  if (protocol !== 'https:' && !(protocol === 'http:' && loops)) return 'Use an https address.';
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) !== 0 && !mayCall(bare, from) ? 'This address is not on the public internet.' : null;
}

/**
 * Resolves a host for one connection. The connection uses the address that was checked, so that a second answer of the
 * name server can't lead elsewhere.
 */
export const lookupPublic =
  (from = env): LookupFunction =>
  (hostname, options, done) => {
    const all: LookupAllOptions = { ...options, all: true };
    lookup(hostname, all, (error, found: LookupAddress[]) => {
      if (error) return done(error, '', 0);
      const [first] = found;
      if (!first || !found.every(({ address }) => mayCall(address, from)))
        return done(new RefusedAddress(`${hostname} is not on the public internet.`), '', 0);
      if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };
