import type { Locator, Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { arrive, PASSWORD } from './person.ts';

/** Milliseconds from the press to its visible response, by the page's own clock. */
function answered(control: Locator, sign: string): Promise<number> {
  return control.evaluate(
    (it, wanted) =>
      new Promise<number>((resolve) => {
        const begun = performance.now();
        const look = () => {
          const taken = performance.now() - begun;
          const there = wanted.startsWith('text=')
            ? document.body.innerText.includes(wanted.slice(5))
            : document.querySelector(wanted) !== null;
          if (there || taken > 1000) resolve(there ? taken : Number.POSITIVE_INFINITY);
          else requestAnimationFrame(look);
        };
        (it as HTMLElement).click();
        look();
      }),
    sign,
  );
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const BUSY = 'button[aria-busy="true"]';

/** For each action: its place, the input before, the button, and the response that must be visible at once. */
const ACTIONS: {
  at: string;
  fill?: [label: string, text: string][];
  press: (page: Page) => Locator;
  sign: string;
}[] = [
  { at: '/#team', press: (page) => button(page, 'Hire Marta'), sign: BUSY },
  {
    at: '/#integrations',
    press: (page) => page.getByRole('switch', { name: 'Sandbox workspace on' }),
    sign: 'input[aria-label="Sandbox workspace on"]:not(:checked)',
  },
  {
    at: '/#preferences',
    fill: [['First name', 'Adaeze']],
    press: (page) => button(page, 'Save preferences'),
    sign: BUSY,
  },
  {
    at: '/arc-chat',
    fill: [['Message', 'What can you do?']],
    press: (page) => button(page, 'Send'),
    sign: 'text=Sending…',
  },
  { at: '/arc-chat', press: (page) => button(page, 'Try it with a sample').first(), sign: BUSY },
  {
    at: '/agent-inbox',
    fill: [['Your answer', 'Priya Nair']],
    press: (page) => button(page, 'Send answer'),
    sign: BUSY,
  },
  { at: '/slack-agent', press: (page) => button(page, 'Test connection'), sign: BUSY },
];

/** @shows S2-2.20 */
test('every action responds within 100 ms, however long the server takes', async ({ page, backstage }) => {
  const { accountId, agentId, email } = await arrive(page);
  await backstage.ask(accountId, agentId, { interruptType: 'input', prompt: 'Who owns hazard H3?' });
  let release = () => {};
  // From the press on the server answers nothing.
  const press = async (control: Locator, sign: string, what: string) => {
    await expect(control, what).toBeEnabled();
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/**', async (route) => {
      await held;
      await route.abort().catch(() => undefined);
    });
    const milliseconds = await answered(control, sign);
    // Leave while it waits, because no answer reaches a closed page.
    await page.goto('about:blank');
    release();
    // Held calls end before, or the last route to go would send them on.
    await page.unrouteAll({ behavior: 'wait' });
    return milliseconds;
  };
  for (const { at, fill = [], press: find, sign } of ACTIONS) {
    const tryIt = async () => {
      await page.goto(at);
      for (const [label, text] of fill) await page.getByRole('textbox', { name: label, exact: true }).fill(text);
      return press(find(page), sign, `${at}: ${sign}`);
    };
    // The best of three, because a single press may be late on a busy machine.
    let least = await tryIt();
    for (let again = 0; least >= 100 && again < 2; again += 1) least = Math.min(least, await tryIt());
    expect(least, `${at}: ${sign}`).toBeLessThan(100);
  }
  await page.context().clearCookies();
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  expect(await press(button(page, 'Log in'), BUSY, '/auth')).toBeLessThan(100);
  await page.goto('/');
  expect(await press(button(page, 'Start Agent Collaboration'), 'text=Agents Working...', 'the landing')).toBeLessThan(
    100,
  );
});
