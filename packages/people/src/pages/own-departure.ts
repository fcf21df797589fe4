// What a person does about leaving on the page of the own account: all that is kept as a file, and the end of the
// account once its e-mail is typed.
import type { FastifyReply } from 'fastify';
import { foldEmail } from '../access/email.ts';
import { toActor, type Person } from '../access/person.ts';
import { eraseAccount } from '../departure/erase.ts';
import { exportAccount } from '../departure/export.ts';
import type { People } from '../people.ts';

export async function sendOwnExport(
  people: People,
  person: Person,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const all = await exportAccount(people, toActor(person), person.accountId);
  return await reply
    .header('Content-Disposition', `attachment; filename="${person.accountId}.json"`)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(all, null, 2));
}

/**
 * Erases the account and ends the session in the browser.
 * @returns `other_email` when what was typed is not the e-mail of the account; then nothing is done
 * @throws PeopleProblem as `eraseAccount`
 */
export async function eraseOwn(
  people: People,
  person: Person,
  given: { readonly email: string | undefined; readonly reply: FastifyReply },
): Promise<'erased' | 'other_email'> {
  if (foldEmail((given.email ?? '').trim()) !== person.email) return 'other_email';
  await eraseAccount(people, toActor(person), person.accountId);
  people.cookies.clearSession(given.reply);
  return 'erased';
}
