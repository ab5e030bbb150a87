import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import type { Workspace } from '../fakes/slack/methods.ts';
import type { Mail } from '../fakes/smtp.ts';

/** After this time a call fails with its name. Half of a test's own limit, which would only say that something hung. */
const MAX_ANSWER_MS = 30_000;

/** One person's browser, for servers whose address may change: it keeps cookies and throws on refusals. */
export function makeBrowser(url: () => string) {
  let cookie = '';
  const call = async (method: string, path: string, body?: unknown) => {
    const multipart = body instanceof FormData;
    const noAnswer = (error: unknown): never => {
      throw new Error(`${method} ${path}: no answer`, { cause: error });
    };
    const answer = await fetch(url() + path, {
      method,
      redirect: 'manual',
      headers: { cookie, ...(body && !multipart ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: multipart ? body : JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(MAX_ANSWER_MS),
    }).catch(noAnswer);
    cookie = /arc\.sid=[^;]+/.exec(answer.headers.getSetCookie().join())?.[0] ?? cookie;
    const text = await answer.text().catch(noAnswer);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    if (answer.status === 302) return answer.headers.get('location');
    return text.startsWith('{') || text.startsWith('[') || text === 'null' ? JSON.parse(text) : text;
  };
  return {
    /** The Cookie header of the session. */
    cookie: () => cookie,
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown = {}) => call('POST', path, body),
    put: (path: string, body: unknown) => call('PUT', path, body),
    patch: (path: string, body: unknown) => call('PATCH', path, body),
  };
}
export type Browser = ReturnType<typeof makeBrowser>;

/** Signs up and onboards the clinical safety agent; arc-chat is on from the beginning. */
export async function makeReady(browser: Browser, email: string, tools = ['hazardanalysis']): Promise<void> {
  await browser.post('/api/auth/send-signup-confirmation', { email, password: 'correct-horse-1', firstName: 'Ada' });
  await onboardSafety(browser, tools);
}

/** Hires and onboards the clinical safety agent. */
export async function onboardSafety(browser: Browser, tools = ['hazardanalysis']): Promise<void> {
  await browser.post('/api/user-agents/hire', { agentId: 'clinical_safety' });
  await browser.post('/api/user-agents/onboard', { agentId: 'clinical_safety', tools });
}

/** The last code that was mailed to an address. */
export function codeTo(email: string, { mails }: { mails: Mail[] }): string {
  const text = mails.findLast(({ to }) => to === email)?.text ?? '';
  return /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? '';
}

/** Invites somebody and joins with the mailed link, which verifies their e-mail. */
export async function joinByMail(
  owner: Browser,
  url: () => string,
  smtp: { mails: Mail[] },
  { email, roles, firstName }: { email: string; roles: string[]; firstName: string },
): Promise<void> {
  await owner.post('/api/account/members', { email, roles });
  const text = smtp.mails.findLast(({ to }) => to === email)?.text.replace(/=3D/g, '=');
  const token = /invitation=([\w-]+)/.exec(text ?? '')?.[1];
  const password = 'correct-horse-1';
  await makeBrowser(url).post('/api/account/invitations/accept', { token, password, firstName });
}

/** Uploads the sample's tickets and hazard log in the chat. */
export async function uploadSample(browser: Browser): Promise<void> {
  const { log, tickets } = await readSample();
  for (const { fileName, bytes } of [tickets, log]) {
    const form = new FormData();
    form.append('hazardLogFile', new Blob([new Uint8Array(bytes)]), fileName);
    await browser.post('/api/arc-chat/upload-hazard-log', form);
  }
}

/** Connects a workspace of the fake Slack and admits everybody in it; U1 is linked to the person. */
export async function connectSlack(browser: Browser, workspace: Workspace): Promise<void> {
  const vendor = await fetch(String(await browser.get('/api/oauth/slack/authorize')), { redirect: 'manual' });
  const back = new URL(String(vendor.headers.get('location')));
  await browser.get(`${back.pathname}${back.search}`);
  const [installation] = await browser.get('/api/channels/slack/installations');
  await browser.put(`/api/channels/slack/installations/${installation.id}`, { admits: 'workspace' });
  workspace.users.set('U1', { id: 'U1', email: 'someone@example.org', name: 'Someone' });
}
