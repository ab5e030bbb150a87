// Starts the mail server that all test files with `@environment mail` in a process share.
import { startSmtp } from '../fakes/smtp.ts';
import { atEnd } from '../runner/atEnd.mjs';
import { requireEnvironment } from '../runner/environment.mjs';

requireEnvironment('mail');
export const smtp = await startSmtp();
Object.assign(process.env, { SMTP_URL: smtp.url, MAIL_BOUNCE_TOKEN: 'a-token-of-the-mail-server' });
atEnd(() => smtp.stop());
