import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, SignJWT } from 'jose';
import { showConsentPage } from './consentPage.ts';

type Answer = {
  status: number;
  body: object | string;
  location?: string;
  challenge?: string;
  headers?: Record<string, string>;
};
/** A call of a provider's API with a valid token. */
export type ApiCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  headers: IncomingMessage['headers'];
};
export type ApiAnswer = { status: number; body: object | string; headers?: Record<string, string> };
/** One consent. Revoking it ends its code and all tokens issued for it. */
type Consent = { scope: string; nonce: string | null; isOver: boolean };
type Code = { consent: Consent; challenge: string; redirectUri: string; expiresAt: number; isUsed: boolean };

const readBody = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};
const refused = (error: string, status = 400): Answer => ({ status, body: { error } });
const unknownClient: Answer = { ...refused('invalid_client', 401), challenge: 'Basic realm="provider"' };
const random = (kind: string) => `${kind}-${randomBytes(12).toString('hex')}`;

/**
 * An OAuth provider over real HTTP (RFC 6749, 7636 and 7009): a consent page, single-use codes and refresh tokens whose
 * reuse revokes the whole consent, token revocation and user info. Every request is recorded in `asked`.
 */
export async function startProvider(
  client = { id: 'arc', secret: 'shh', redirectUris: [] as string[] },
  /** The paths of a certain provider, and the rest of its API. */
  own: {
    authorize?: string;
    token?: string;
    refresh?: string;
    revoke?: string;
    /** Calls with a valid token; null for an unknown path. */
    api?: (call: ApiCall) => ApiAnswer | null;
    /** Calls that need none; `end` ends the consent of a token. */
    open?: (call: ApiCall, end: (token: string) => boolean) => ApiAnswer | null;
    /** Reads the parameters of a token call, or refuses it; default: a form. */
    readTokenCall?: (call: ApiCall) => URLSearchParams | ApiAnswer;
    /** Further fields of the answer to a code. */
    tokenFields?: () => Record<string, unknown>;
    /** Whether its token answers leave the type of the token out. */
    isUntyped?: boolean;
    /** Whether it refuses PKCE. */
    refusesPkce?: boolean;
    /** How refused token calls are answered, where that is not by RFC 6749. */
    refuse?: (error: string, form: URLSearchParams) => { status: number; error: string | boolean };
  } = {},
) {
  const paths = { authorize: '/authorize', token: '/token', refresh: '/refresh', revoke: '/revoke', ...own };
  const codes = new Map<string, Code>();
  /** Valid access tokens, with their consent. */
  const access = new Map<string, Consent>();
  const refresh = new Map<string, { consent: Consent; isUsed: boolean }>();
  const asked: Record<string, string>[] = [];
  const faults: Answer[] = [];
  let later: { path: string; status: number; times: number } | null = null;
  const { privateKey } = await generateKeyPair('RS256');
  const settings = {
    lifetime: 3600 as number | null,
    codeLifetime: 60,
    nonce: null as string | null,
    issuer: null as string | null,
    granted: null as string | null,
    /** Further claims of the id token. */
    claims: {} as Record<string, unknown>,
    denies: false,
    /** Whether it asks the person on a page, instead of taking their consent as given. */
    showsPage: false,
    rotates: true,
    renewable: true,
  };
  const behaviour = { ...settings };
  let held: Promise<void> | null = null;
  let release = () => {};
  let waiting = 0;

  function end(consent: Consent) {
    consent.isOver = true;
    for (const [token, it] of access) if (it === consent) access.delete(token);
    for (const [token, it] of refresh) if (it.consent === consent) refresh.delete(token);
  }

  function give(consent: Consent = { scope: '', nonce: null, isOver: false }) {
    const [token, again] = [random('access'), random('refresh')];
    access.set(token, consent);
    refresh.set(again, { consent, isUsed: false });
    return { access_token: token, token_type: own.isUntyped ? undefined : 'Bearer', refresh_token: again };
  }

  async function signFor({ scope, nonce }: Consent) {
    if (!scope.split(' ').includes('openid')) return {};
    const token = new SignJWT({ ...behaviour.claims, nonce: behaviour.nonce ?? nonce }).setProtectedHeader({
      alg: 'RS256',
    });
    const signed = token
      .setIssuer(behaviour.issuer ?? url)
      .setAudience(client.id)
      .setSubject('u1')
      .setIssuedAt()
      .setExpirationTime('1h');
    return { id_token: await signed.sign(privateKey) };
  }
  const expiry = () => (behaviour.lifetime === null ? {} : { expires_in: behaviour.lifetime });

  function answerConsent(query: URLSearchParams): Answer {
    const redirectUri = query.get('redirect_uri') ?? '';
    const fits = query.get('client_id') === client.id && client.redirectUris.includes(redirectUri);
    // An unknown client is not redirected.
    if (!fits) return refused('invalid_request');
    const decision = query.get('decision');
    if (behaviour.showsPage && decision === null) return showConsentPage(query);
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    if (behaviour.denies || decision === 'deny') back.searchParams.set('error', 'access_denied');
    else if (query.get('code_challenge_method') !== (own.refusesPkce ? null : 'S256'))
      back.searchParams.set('error', 'invalid_request');
    else {
      const code = random('code');
      const consent = { scope: query.get('scope') ?? '', nonce: query.get('nonce'), isOver: false };
      const challenge = query.get('code_challenge') ?? '';
      const expiresAt = Date.now() + behaviour.codeLifetime * 1000;
      codes.set(code, { consent, challenge, redirectUri, expiresAt, isUsed: false });
      back.searchParams.set('code', code);
    }
    return { status: 302, body: {}, location: back.href };
  }

  async function changeCode(form: URLSearchParams): Promise<Answer> {
    const code = codes.get(form.get('code') ?? '');
    if (!code) return refused('invalid_grant');
    if (code.isUsed) end(code.consent);
    const verifier = form.get('code_verifier');
    const challenge = verifier === null ? '' : createHash('sha256').update(verifier).digest('base64url');
    const fits = code.challenge === challenge && code.redirectUri === form.get('redirect_uri');
    if (code.isUsed || !fits || code.expiresAt <= Date.now()) return refused('invalid_grant');
    code.isUsed = true;
    const { consent } = code;
    const scope = behaviour.granted === null ? {} : { scope: behaviour.granted };
    const again = behaviour.renewable ? {} : { refresh_token: undefined };
    const further = { ...scope, ...(await signFor(consent)), ...own.tokenFields?.() };
    return { status: 200, body: { ...give(consent), ...again, ...expiry(), ...further } };
  }

  function renew(form: URLSearchParams): Answer {
    const known = refresh.get(form.get('refresh_token') ?? '');
    if (!known) return refused('invalid_grant');
    if (known.isUsed) {
      end(known.consent);
      return refused('invalid_grant');
    }
    if (!behaviour.rotates) {
      return { status: 200, body: { ...give(known.consent), refresh_token: undefined, ...expiry() } };
    }
    known.isUsed = true;
    return { status: 200, body: { ...give(known.consent), ...expiry() } };
  }

  function isClient(form: URLSearchParams, header = ''): boolean {
    const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    return header === basic || (form.get('client_id') === client.id && form.get('client_secret') === client.secret);
  }

  async function answerForm(path: string, form: URLSearchParams, header?: string): Promise<Answer> {
    if (!isClient(form, header)) return unknownClient;
    if (path === paths.revoke) {
      const token = form.get('token') ?? '';
      const consent = access.get(token) ?? refresh.get(token)?.consent;
      if (consent) end(consent);
      return { status: 200, body: {} };
    }
    const type = form.get('grant_type');
    return type === 'authorization_code' ? changeCode(form) : type === 'refresh_token' ? renew(form) : refused('bad');
  }

  function answerMe(header = ''): Answer {
    const isKnown = access.has(header.replace(/^Bearer /, ''));
    return isKnown ? { status: 200, body: { id: 'w1', name: 'Quillmere' } } : refused('invalid_token', 401);
  }

  function refusedAs(answer: Answer, form: URLSearchParams): Answer {
    const { error = '' } = answer.body as { error?: string };
    if (answer.status < 400 || !own.refuse) return answer;
    const { status, error: word } = own.refuse(error, form);
    return { status, body: { error: word } };
  }

  async function answerCall(call: ApiCall): Promise<Answer> {
    const { path, headers, body } = call;
    if (path === '/me') return answerMe(headers.authorization);
    if (!own.api || [paths.token, paths.refresh, paths.revoke].includes(path)) {
      const form = own.readTokenCall?.(call) ?? new URLSearchParams(body);
      return form instanceof URLSearchParams
        ? refusedAs(await answerForm(path, form, headers.authorization), form)
        : form;
    }
    const opened = own.open?.(call, (token) => {
      const consent = access.get(token);
      if (consent) end(consent);
      return consent !== undefined;
    });
    if (opened) return opened;
    const isKnown = access.has((headers.authorization ?? '').replace(/^(?:Bearer|OAuth) /, ''));
    return isKnown ? (own.api(call) ?? refused('not_found', 404)) : refused('invalid_token', 401);
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider.local');
    const body = await readBody(request);
    const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
    if (pathname === paths.authorize) asked.push(Object.fromEntries(searchParams));
    else asked.push({ path: pathname, ...(isForm ? Object.fromEntries(new URLSearchParams(body)) : { body }) });
    if (held && pathname !== paths.authorize) {
      waiting += 1;
      await held;
      waiting -= 1;
    }
    const { method = 'GET', headers } = request;
    const call = { method, path: pathname, query: searchParams, body, headers };
    const answer =
      pathname === paths.authorize ? answerConsent(searchParams) : (faults.shift() ?? (await answerCall(call)));
    if (later?.path === pathname) {
      for (let at = 0; at < later.times; at += 1) faults.push(refused('server_error', later.status));
      later = null;
    }
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...answer.headers,
      ...(answer.location ? { location: answer.location } : {}),
      ...(answer.challenge ? { 'www-authenticate': answer.challenge } : {}),
    });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    client,
    asked,
    /** Whether an access token is valid now. */
    isValid: (token: string | null) => token !== null && access.has(token),
    /** Issues tokens as after a consent. */
    give: () => give(),
    /** How the provider behaves; lifetimes are in seconds. */
    behaviour,
    /** Makes the next calls fail; by default one. */
    fail(status: number, error: string, times = 1) {
      for (let at = 0; at < times; at += 1) faults.push(refused(error, status));
    },
    /** Makes the calls after the next one to this path fail; by default one. */
    failAfter(path: string, status: number, times = 1) {
      later = { path, status, times };
    },
    /** Delays every answer about tokens. @returns a function that releases them */
    hold(): () => void {
      held = new Promise((resolve) => {
        release = () => {
          held = null;
          resolve();
        };
      });
      return release;
    },
    /** Number of delayed calls. */
    waiting: () => waiting,
    /** Ends the access tokens alone. */
    endAccess: () => access.clear(),
    /** Revokes every token without notifying the client. */
    revokeAll() {
      access.clear();
      refresh.clear();
    },
    /** Ends every fault, answers delayed calls, and restores the initial behaviour. */
    recover() {
      faults.length = 0;
      later = null;
      Object.assign(behaviour, settings);
      release();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        release();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
export type FakeProvider = Awaited<ReturnType<typeof startProvider>>;
