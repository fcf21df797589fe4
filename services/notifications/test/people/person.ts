// People for tests of something else than logging in: an account with a session, written past the service
// and without the time that a password takes.
import { ROLES, type Role } from '../../src/access/person.ts';
import { newSession } from '@lothub/people/access/sessions';
import { insertMember } from '../../src/groups/new-group.ts';
import { newId } from '@lothub/kit/secrets/ids';
import sql from 'sql-template-tag';
import type { Answer, Booted, SendRequest } from '../boot.ts';

export interface TestPerson {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  /** What a browser of this person sends with each request to the pages' own site. */
  readonly headers: Readonly<Record<string, string>>;
  get(path: string): Promise<Answer>;
  /** Without a body when none is given. */
  send(method: SendRequest['method'], path: string, body?: unknown): Promise<Answer>;
}

export async function newPerson(booted: Booted, name = 'Ada'): Promise<TestPerson> {
  const { people } = booted.service;
  const accountId = newId('usr');
  const email = `${accountId.toLowerCase()}@example.com`;
  const nowMs = Date.now();
  const session = newSession({ accountId, agent: 'test', nowMs });
  await people.store.write([
    sql`
      insert into accounts (id, email, name, password_hash, created_at)
      values (${accountId}, ${email}, ${name}, 'nobody logs in with it', ${nowMs})`,
    ...session.statements,
  ]);
  const headers = {
    Cookie: `lothub_session=${session.secret}`,
    'Sec-Fetch-Site': 'same-origin',
  };
  return {
    accountId,
    name,
    email,
    headers,
    get: (path) => booted.call(path, { headers }),
    send: (method, path, body) =>
      body === undefined
        ? booted.call(path, { method, headers })
        : booted.send({ method, path, body, headers }),
  };
}

/** Makes somebody a member, past the service. */
export async function join(
  booted: Booted,
  member: { readonly groupId: string; readonly person: TestPerson; readonly role?: Role },
): Promise<void> {
  const { groupId, person, role = ROLES[1] } = member;
  const { accountId } = person;
  await booted.service.store.write([...insertMember({ groupId, accountId, role, at: Date.now() })]);
}

/** A new group of this person; its id. */
export async function newGroup(person: TestPerson, name = 'Bakery'): Promise<string> {
  const made = await person.send('POST', '/api/v1/groups', { name });
  return String(made.json['id']);
}
