import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';

const STYLE = `
  html { color-scheme: light; } body { background: #fff; color: #111; margin: 0; } p { margin: 8px; }
  @media (prefers-color-scheme: dark) { html { color-scheme: dark; } body { background: #000; color: #eee; } }`;
const ROWS = [1, 2, 3, 4, 5].map((row) => `<p id="row${row}">Row ${row}</p>`).join('');
const pageWith = (css: string) => `<!doctype html><html lang="en"><head><title>Rows</title>
  <meta name="viewport" content="width=device-width"><style>${STYLE} ${css}</style></head>
  <body><main><h1>Rows</h1>${ROWS}<div id="box"></div></main></body></html>`;

test('the check of colours, which looks at one text of each kind, finds the one row that can’t be read', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const check = async (css: string) => {
    await page.setContent(pageWith(css));
    return expectAccessible(page, 'rows').then(
      () => 'fine',
      (error: Error) => error.message,
    );
  };
  expect(await check('')).toBe('fine');
  expect(await check('#row3 { color: #bbb; }')).toMatch(/^rows, colours in light.*color-contrast: <p id=."row3/s);
  await page.emulateMedia({ colorScheme: 'light' });
  const dark = '@media (prefers-color-scheme: dark) { #row3 { color: #333; } }';
  expect(await check(dark)).toMatch(/^rows, colours in dark.*color-contrast: <p id=."row3/s);
  await page.emulateMedia({ colorScheme: 'light' });
  // Beside the row and not around it.
  const box = '#box { position: absolute; z-index: -1; top: 130px; width: 300px; height: 40px; background: #222; }';
  expect(await check(box)).toMatch(/^rows, colours in light.*color-contrast: <p id=."row/s);
});
