import { configuredModel } from '../../../bot/engine/llm/model.ts';
import { mailConfigured } from '../../../bot/engine/mail/sendMail.ts';
import { type Environment, env } from '../../../models/env.ts';
import { type Check, fault, hint, ok } from './check.ts';

const TIMEOUT_MS = 10_000;

/** Checks of the services that the environment names: each is asked, and nothing is sent to a person. */
export const outsideChecks = (from: Environment = env): Check[] => [
  {
    subject: 'Mail',
    async look() {
      if (!mailConfigured(from))
        return [
          hint('off: codes and invitations are shown or told, not mailed.', 'To use it, set SMTP_URL and MAIL_FROM.'),
        ];
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(from.SMTP_URL, {
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
      } as never);
      try {
        await transport.verify();
        const takes = ok(`${new URL(from.SMTP_URL).hostname} takes mail`);
        return from.MAIL_BOUNCE_TOKEN
          ? [takes, ok('reports of bounced mails are taken at /api/mail/bounces')]
          : [takes, hint('Mails that come back later are not noticed.', 'See docs/bounced-mail.md.')];
      } catch (error) {
        return [
          fault(
            `The mail server refuses: ${(error as Error).message}`,
            'Check SMTP_URL: host, port, user and password.',
          ),
        ];
      } finally {
        transport.close();
      }
    },
  },
  {
    subject: 'Model',
    async look() {
      const model = configuredModel(from);
      if (!model) return [ok('none: the built-in engine answers alone')];
      try {
        await model.stream({
          system: 'Answer with one word.',
          messages: [{ role: 'user', content: 'Say yes.' }],
          tools: [],
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        return [ok(`${model.name} answers`)];
      } catch (error) {
        return [
          fault(
            `${model.name} does not answer: ${(error as Error).message}`,
            'Check MODEL_PROVIDER, MODEL_NAME, its key and MODEL_BASE_URL. Meanwhile the built-in engine answers alone.',
          ),
        ];
      }
    },
  },
];
