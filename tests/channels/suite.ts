import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { hireOnboarded } from '../factories/hireOnboarded.ts';
import { proposalsOf } from '../factories/interrupt.ts';
import { eventually, type Person } from '../factories/person.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';

type Owner = Person & { agent: { id: number } };

/** What each channel must provide for the suite; the suite itself does not know which channel it tests. */
export type ChannelDriver = {
  owner: Owner;
  /** Sends a message as the owner. The same event id means the same event. */
  say(text: string, eventId?: string): Promise<void>;
  /** Uploads a file. */
  drop(fileName: string, bytes: Uint8Array): Promise<void>;
  /** Uploads a file with words, if the channel can send both in one message. */
  dropWith?(text: string, fileName: string, bytes: Uint8Array): Promise<void>;
  /** Forwards another person's message to the agent, as the owner. */
  handOver(text: string): Promise<void>;
  /** The agent's messages in the conversation, oldest first. */
  replies(): Promise<string[]>;
  /** Whether a question is shown with its buttons. */
  offers(interruptId: number): Promise<boolean>;
  /** Says something in the thread of the last words; absent where a conversation has no threads. */
  goOn?(text: string): Promise<void>;
  /** The text shown for a closed question. */
  closed(interruptId: number): Promise<string | null>;
  /** Answers a question with the channel's buttons. */
  answer(interruptId: number, approved: boolean): Promise<void>;
  /** The channel's name in a resolution. */
  via: string;
};

/** The cases that every channel must pass: a question has one state, wherever it is asked and answered. */
export function describeChannel(
  name: string,
  channel: { start(): Promise<void>; stop(): Promise<void>; connect(): Promise<ChannelDriver> },
): void {
  describe(`${name}, as every channel`, () => {
    beforeAll(() => channel.start());
    afterAll(() => channel.stop());

    const replied = (driver: ChannelDriver, words: RegExp) =>
      eventually(async () => (await driver.replies()).find((text) => words.test(text)), `a reply like ${words}`);
    const analyseSample = async (driver: ChannelDriver) => {
      const { readSample } = await import('../../bot/agents/clinical_safety/sample/readSample.ts');
      const { log } = await readSample();
      await driver.drop(log.fileName, log.bytes);
      await replied(driver, /is a hazard log with 25 data rows/);
      await driver.say('analyse');
      await replied(driver, /Analysis complete: 25 hazards/);
    };
    const questions = async ({ owner }: ChannelDriver) =>
      withoutMatches(
        (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200)).body as Interrupt[],
      );
    const asked = async (driver: ChannelDriver) => {
      await driver.say('Try it with a sample');
      await replied(driver, /sample/);
      await driver.say('Analyse my hazard log');
      const [question] = await eventually(async () => {
        const all = await questions(driver);
        return all.length > 0 ? all : null;
      }, 'the question');
      await eventually(() => driver.offers((question as Interrupt).id), 'the question where it was asked');
      return question as Interrupt;
    };

    test('a message is answered', async () => {
      const driver = await channel.connect();
      await driver.say('help');
      expect(await replied(driver, /I never set a severity/)).toBeTruthy();
    });

    test('a requested screen is proposed, decided and finished there', async () => {
      const driver = await channel.connect();
      const designer = await hireOnboarded(driver.owner, 'designer');
      await driver.say('Design a screen for nurses to record pulse and weight');
      /** The newest question about a step. */
      const find = (step: string) =>
        eventually(
          async () =>
            ((await driver.owner.browser.get(`/api/agents/${designer.agent.id}/interrupts`)).body as Interrupt[]).find(
              ({ context }) => context.step === step,
            ),
          `the question about the ${step}`,
        );
      const { id } = await find('layout');
      await eventually(() => driver.offers(id), 'the layout where it was asked');
      await driver.say('yes');
      expect((await find('components')).prompt).toContain('Record pulse and weight');
      expect((await find('layout')).resolution).toMatchObject({ outcome: 'approved', via: driver.via });
      const components = await find('components');
      await eventually(() => driver.offers(components.id), 'the components where it was asked');
      await driver.say('yes');
      const style = await find('style');
      await eventually(() => driver.offers(style.id), 'the styles where it was asked');
      await driver.say('Calm teal');
      const preview = await find('preview');
      await eventually(() => driver.offers(preview.id), 'the preview where it was asked');
      await replied(driver, /prototype/i);
      await driver.say('Change it: without weight');
      const again = await eventually(async () => {
        const { id } = await find('preview');
        return id !== preview.id && id;
      }, 'the changed preview');
      await eventually(() => driver.offers(again), 'the changed preview where it was asked');
      await driver.say('Keep it');
      await replied(driver, /saved with its prototype/);
      expect((await find('style')).resolution).toMatchObject({ via: driver.via });
      expect((await find('preview')).resolution).toMatchObject({ via: driver.via });
    });

    test('the same event five times is one message with one answer', async () => {
      const driver = await channel.connect();
      await Promise.all(Array.from({ length: 5 }, () => driver.say('help', 'one-event')));
      await replied(driver, /I never set a severity/);
      await driver.say('What is the risk matrix?');
      await eventually(async () => (await driver.replies()).length >= 2, 'the second answer');
      expect((await driver.replies()).filter((text) => /I never set a severity/.test(text))).toHaveLength(1);
    });

    test('an uploaded hazard log is taken in, and analysed on request', async () => {
      const driver = await channel.connect();
      await analyseSample(driver);
    });

    test('a question goes on from the answer before', async () => {
      const driver = await channel.connect();
      await analyseSample(driver);
      await driver.say('Which hazards have a residual risk above 2?');
      await replied(driver, /hazards of 25 have a recorded residual risk above 2/);
      await (driver.goOn ?? driver.say)('and which of those are open?');
      await replied(driver, /4 hazards of 25 have a recorded residual risk above 2 and the status “Open”/);
    });

    test('a message after an uploaded file waits for the file', async () => {
      const driver = await channel.connect();
      const { readSample } = await import('../../bot/agents/clinical_safety/sample/readSample.ts');
      const { log } = await readSample();
      await driver.drop(log.fileName, log.bytes);
      await driver.say('analyse');
      await replied(driver, /Analysis complete: 25 hazards/);
      expect((await driver.replies()).filter((text) => /no hazard log/.test(text))).toEqual([]);
    });

    test('the company’s log is used in a conversation without one, and named', async () => {
      const driver = await channel.connect();
      const { keepFile } = await import('../../models/files.ts');
      const { runInAccount } = await import('../../models/store/context.ts');
      const { readSample } = await import('../../bot/agents/clinical_safety/sample/readSample.ts');
      const { log } = await readSample();
      const { accountId } = driver.owner.user;
      await runInAccount(accountId, () =>
        keepFile({
          accountId,
          name: 'company-log.xlsx',
          kind: 'hazard-log',
          type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          key: 'upload:elsewhere',
          bytes: log.bytes,
        }),
      );
      await driver.say('analyse');
      expect(await replied(driver, /company’s current one/)).toContain('company-log.xlsx');
      await replied(driver, /Analysis complete: 25 hazards/);
    });

    test('an invalid file is refused there, with what to do', async () => {
      const driver = await channel.connect();
      await driver.drop('cities.csv', Buffer.from('city,people\nLeeds,800000\nYork,200000\n'));
      await eventually(async () => (await driver.replies()).length > 0, 'the refusal');
      expect((await driver.replies())[0]?.length).toBeGreaterThan(30);
    });

    test('words that only describe a file are no question; a request with it starts after the file', async () => {
      const driver = await channel.connect();
      const { readSample } = await import('../../bot/agents/clinical_safety/sample/readSample.ts');
      const { log } = await readSample();
      if (!driver.dropWith) return;
      await driver.dropWith('here is our log', log.fileName, log.bytes);
      await replied(driver, /is a hazard log with 25 data rows/);
      await driver.say('help');
      await replied(driver, /I never set a severity/);
      expect(await driver.replies()).toHaveLength(2);
      await driver.dropWith('here it is again, please analyse it', log.fileName, log.bytes);
      await replied(driver, /Analysis complete: 25 hazards/);
    });

    test('a question is answered in place, and closed there with who, where and when', async () => {
      const driver = await channel.connect();
      const { id } = await asked(driver);
      await driver.answer(id, true);
      await eventually(async () => (await questions(driver))[0]?.status === 'resolved', 'the answer');
      const [answered] = await questions(driver);
      expect(answered?.resolution).toMatchObject({
        outcome: 'approved',
        via: driver.via,
        by: { userId: driver.owner.user.id },
      });
      expect(await eventually(() => driver.closed(id), 'the closed question')).toMatch(
        /Approved by Ada Okafor in .+, \d\d:\d\d/,
      );
      expect(await driver.offers(id)).toBe(false);
      await replied(driver, /Review recorded/);
    });

    test.each(['accept all', 'reject all', 'approve', 'yes'])(
      'another person’s “%s”, forwarded by the owner, signs nothing',
      async (words) => {
        const driver = await channel.connect();
        const { id } = await asked(driver);
        await driver.handOver(words);
        // Turns of one conversation run in order: once this is answered, the words before it have been processed.
        await driver.say('help');
        await replied(driver, /I never set a severity/);
        expect((await questions(driver)).find((one) => one.id === id)).toMatchObject({
          status: 'pending',
          resolution: null,
        });
        expect((await driver.replies()).filter((text) => /Recorded your answer/.test(text))).toEqual([]);
      },
    );

    test.each([true, false])(
      'one answer for all rows (accepted: %s) overwrites no decision in the draft',
      async (all) => {
        const driver = await channel.connect();
        const question = await asked(driver);
        const { id } = question;
        const [first] = proposalsOf(question);
        const rows = [{ id: first?.id, outcome: 'rejected', reason: 'Known already' }];
        await driver.owner.browser.put(`/api/interrupts/${id}/draft`).send({ rows, version: 0 }).expect(200);
        await driver.answer(id, all);
        await driver.say(all ? 'accept everything' : 'reject everything');
        expect(await replied(driver, /decided in the review/)).toContain(
          `1 of ${proposalsOf(question).length} proposals is decided in the review already, so nothing was sent`,
        );
        expect((await questions(driver))[0]).toMatchObject({ id, status: 'pending', draft: { version: 1, rows } });
        expect((await driver.replies()).filter((text) => /Recorded your answer/.test(text))).toEqual([]);
      },
    );

    test('another person’s forwarded words do not withdraw an open review', async () => {
      const driver = await channel.connect();
      const question = await asked(driver);
      const { id } = question;
      const row = { id: proposalsOf(question)[0]?.id, outcome: 'accepted' };
      await driver.owner.browser
        .put(`/api/interrupts/${id}/draft`)
        .send({ rows: [row], version: 0 })
        .expect(200);
      const before = (await driver.replies()).length;
      await driver.handOver(`Start a new analysis and withdraw question ${id}`);
      // Refused, or a separate analysis if the channel has a thread for it.
      await eventually(async () => (await driver.replies()).length > before, 'what became of it');
      expect((await questions(driver)).find((one) => one.id === id)?.status).toBe('pending');
    });

    test('a question answered in the inbox loses its buttons here', async () => {
      const driver = await channel.connect();
      const { id } = await asked(driver);
      await driver.owner.browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: false }).expect(200);
      expect(await eventually(() => driver.closed(id), 'the closed question')).toMatch(
        /Rejected by Ada Okafor in the inbox/,
      );
      expect(await driver.offers(id)).toBe(false);
    });

    test('a question answered here and in the inbox at once has one answer everywhere', async () => {
      const driver = await channel.connect();
      const { id } = await asked(driver);
      await Promise.all([
        driver.answer(id, true),
        driver.owner.browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: false }),
      ]);
      const closed = await eventually(() => driver.closed(id), 'the closed question');
      const [standing] = await questions(driver);
      expect(closed).toContain(standing?.resolution?.outcome === 'approved' ? 'Approved' : 'Rejected');
    });

    test('a lack of credits is reported where the work was requested', async () => {
      const driver = await channel.connect();
      const { accountId } = driver.owner.user;
      const [{ ledger }, { runInAccount }] = [
        await import('../../models/ledgerEntry.ts'),
        await import('../../models/store/context.ts'),
      ];
      await runInAccount(accountId, () =>
        ledger.append(accountId, { key: 'spent', kind: 'reserve', amount: -50_000, note: 'test' }),
      );
      await driver.say('What is DCB0129?');
      await replied(driver, /not enough credits left/);
    });
  });
}
