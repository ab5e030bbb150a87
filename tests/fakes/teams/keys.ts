import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const ISSUER = 'https://api.botframework.com';

export type Claims = Record<string, unknown>;

/** Microsoft's signing keys: one that is published, and one that is unknown. */
export async function makeKeys() {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')]);
  const kid = `key-${Math.random().toString(36).slice(2)}`;
  const published: JWK[] = [
    { ...(await exportJWK(own.publicKey)), kid, use: 'sig', alg: 'RS256', endorsements: ['msteams'] } as JWK,
  ];
  const sign = (claims: Claims, key: typeof own.privateKey, id: string) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: id }).sign(key);
  return {
    published,
    sign: (claims: Claims) => sign(claims, own.privateKey, kid),
    /** Signed with the unknown key under the published key's id. */
    forge: (claims: Claims) => sign(claims, foreign.privateKey, kid),
    /** Signed with the unknown key under its own id. */
    signUnknown: (claims: Claims) => sign(claims, foreign.privateKey, 'nobody-knows'),
    /** Not signed at all. */
    unsigned(claims: Claims) {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none', typ: 'JWT', kid })}.${part(claims)}.`;
    },
  };
}
export type Keys = Awaited<ReturnType<typeof makeKeys>>;
