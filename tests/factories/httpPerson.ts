/** One person's browser against whichever process serves at the moment: cookies are kept, refusals throw. */
export function makeBrowser(url: () => string) {
  let cookie = '';
  const call = async (method: string, path: string, body?: unknown) => {
    const multipart = body instanceof FormData;
    const answer = await fetch(url() + path, {
      method,
      redirect: 'manual',
      headers: { cookie, ...(body && !multipart ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: multipart ? body : JSON.stringify(body) } : {}),
    });
    cookie = /arc\.sid=[^;]+/.exec(answer.headers.getSetCookie().join())?.[0] ?? cookie;
    const text = await answer.text();
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

/** Signs up, onboards the clinical safety agent and switches arc-chat on. */
export async function makeReady(browser: Browser, email: string): Promise<void> {
  await browser.post('/api/auth/send-signup-confirmation', { email, password: 'correct-horse-1', firstName: 'Ada' });
  await browser.post('/api/user-agents/hire', { agentId: 'clinical_safety' });
  await browser.post('/api/user-agents/onboard', { agentId: 'clinical_safety', tools: ['hazardanalysis'] });
  await browser.post('/api/integrations/toggle', { integrationId: 'arc-chat', enabled: true });
}
