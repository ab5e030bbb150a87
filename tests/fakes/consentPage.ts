/** The page on which a person allows or denies what is asked for. */
export function showConsentPage(query: URLSearchParams) {
  const to = (decision: string) =>
    `?${new URLSearchParams([...query, ['decision', decision]])}`.replaceAll('&', '&amp;');
  const links = `<a href="${to('allow')}">Allow</a> <a href="${to('deny')}">Deny</a>`;
  const body = `<!doctype html><html lang="en"><title>Consent</title><h1>Allow Arc?</h1>${links}</html>`;
  return { status: 200, body, headers: { 'content-type': 'text/html; charset=utf-8' } };
}
