// A person for benchmarks of the console: an account with a session, who manages the benchmarks' brand and operates
// the hub; written past the pages and without the time that a password takes.
import { newId } from '@lothub/kit/secrets/ids';
import { newSession } from '@lothub/people/access/sessions';
import { insertAccount } from '@lothub/people/accounts/queries';
import { giveRole } from '@lothub/people/brands/grants';
import { COMMAND_LINE } from '@lothub/people/brands/roles-of-place';
import type { People } from '@lothub/people/people';
import { TENANT } from './hub.ts';

/** @returns what the browser of this person sends as its cookie */
export async function makeVisitor(people: People): Promise<string> {
  const accountId = newId('usr');
  const nowMs = Date.now();
  const session = newSession({ accountId, agent: 'bench', nowMs });
  const email = 'bench@example.com';
  const account = { id: accountId, email, name: 'Bench', passwordHash: 'none', createdAt: nowMs };
  await people.store.write([insertAccount(account), ...session.statements]);
  const brand = { kind: 'brand', id: TENANT } as const;
  const hub = { kind: 'hub', id: '' } as const;
  await giveRole(people, COMMAND_LINE, { place: brand, accountId, role: 'manager' });
  await giveRole(people, COMMAND_LINE, { place: hub, accountId, role: 'operator' });
  return `lothub_session=${session.secret}`;
}
