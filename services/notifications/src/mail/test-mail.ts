// A mail that a person sends to itself, to find out whether mails come: answered with what the server said.
import { SEND_ERRORS } from '@lothub/delivery/sending/answer';
import { writeMail } from '@lothub/delivery/mail/mail-text';
import type { MailResult } from '@lothub/delivery/mail/smtp-answer';
import { randomBase62 } from '@lothub/kit/secrets/base62';
import type { SessionPerson } from '../access/person.ts';
import { Problem } from '../errors.ts';
import { MAIL_IS_OFF, requireMailer, type MailDeps } from './mail-settings.ts';
import { receiverOfPerson, takeMailOfHour } from './receiver-queries.ts';
import type { MailTest } from './schema.ts';

/**
 * Maximum number of mails to one person in an hour; notifications beyond it wait for the next hour and are sent in one
 * mail. People do not read more, and mail providers block senders of more.
 */
export const MAILS_PER_HOUR_MAX = 20;
const ID_LENGTH = 16;

/** @throws Problem `conflict` while mail is off, or the operator has set no server; `limit_reached` */
export async function sendTestMail(
  deps: MailDeps,
  { accountId, email }: Pick<SessionPerson, 'accountId' | 'email'>,
): Promise<MailTest> {
  const mailer = requireMailer(deps);
  const { store, clock, publicUrl, stopping } = deps;
  const receiver = await receiverOfPerson(store.reader, accountId);
  if (receiver?.status !== 'active') throw new Problem('conflict', MAIL_IS_OFF);
  const at = clock.nowMs();
  const [taken] = await store.write([
    takeMailOfHour(receiver.id, { at, mailsMax: MAILS_PER_HOUR_MAX }),
  ]);
  if (taken?.length !== 1) {
    throw new Problem(
      'limit_reached',
      `A person is sent at most ${MAILS_PER_HOUR_MAX} mails an hour: try again later`,
    );
  }
  const result = await mailer.send({
    ...writeMail({
      language: 'en',
      heading: 'Mails of your inbox arrive',
      blocks: [
        { kind: 'text', text: 'You asked for this mail on the page of your settings.' },
        { kind: 'link', label: 'My settings', url: `${publicUrl}/inbox/me` },
      ],
      footer: [],
    }),
    id: `test_${randomBase62(ID_LENGTH)}`,
    to: email,
    subject: 'A test of the inbox',
    atMs: at,
    unsubscribeUrl: undefined,
    signal: stopping,
  });
  return { outcome: toOutcome(result), detail: mailResultText(result) };
}

function toOutcome({ kind }: MailResult): MailTest['outcome'] {
  return kind === 'accepted' || kind === 'refused' ? kind : 'failed';
}

const STEP_WORDS: Readonly<Record<Extract<MailResult, { step: unknown }>['step'], string>> = {
  connection: 'when it was called',
  login: 'to the log-in, which the operator has to look at',
  sender: 'to the sender, which the operator has to look at',
  recipient: 'to the address',
  content: 'to the mail',
};

/** The result as a sentence, for the log and for answers. */
export function mailResultText(result: MailResult): string {
  switch (result.kind) {
    case 'accepted':
      return `The mail server took the mail (${result.status})`;
    case 'refused':
      return `The mail server refused the address (${result.status})`;
    case 'deferred':
      return `The mail server answered ${result.status} ${STEP_WORDS[result.step]}`;
    case 'unanswered':
      return `Of the mail server: ${SEND_ERRORS[result.error].toLowerCase()}`;
    case 'stopped':
      return 'The service stops; try again in a minute';
  }
}
