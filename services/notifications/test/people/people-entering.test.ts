// Entering a group behind the transaction that uses its invitation up: what a process that ends in between
// leaves behind, and what becomes of an account whose group refuses it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptInvitation, type Accepting } from '@lothub/people/invitations/accept';
import { ENTERING_MS_MAX } from '@lothub/people/invitations/enter';
import { PlaceRegistry, type Acceptance, type EnterOutcome } from '@lothub/people/places/places';
import { MEMBERS_PER_GROUP_MAX } from '../../src/groups/limits.ts';
import { boot, type Booted } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from './person.ts';

interface Invited {
  readonly owner: TestPerson;
  readonly groupId: string;
  readonly token: string;
}

async function invite(booted: Booted): Promise<Invited> {
  const owner = await newPerson(booted, 'Olga');
  const groupId = await newGroup(owner);
  const made = await owner.send('POST', `/api/v1/groups/${groupId}/invitations`, {});
  return { owner, groupId, token: String(made.json['url']).split('/').at(-1) ?? '' };
}

const NIA: Accepting = {
  kind: 'new',
  person: { name: 'Nia', email: 'nia@example.com', password: 'kumquat on a stick' },
  browser: { agent: 'test', mark: undefined },
};

type Enter = (acceptance: Acceptance) => Promise<EnterOutcome>;

/** Accepts with another way into the group, such as one that something happens on. */
async function acceptBy(
  booted: Booted,
  token: string,
  enterBy: (enter: Enter) => Enter,
): Promise<unknown> {
  const { people } = booted.service;
  const kind = people.places.find({ kind: 'group' });
  assert.equal(kind?.entering.kind, 'elsewhere');
  const places = new PlaceRegistry();
  places.add({ ...kind, entering: { kind: 'elsewhere', enter: enterBy(kind.entering.enter) } });
  return await acceptInvitation({ ...people, places }, { secret: token, as: NIA });
}

const END = new Error('the process ends here');

/** As if the invitation had been accepted so long ago that no process is still about it. */
async function letTimePass(booted: Booted): Promise<void> {
  await booted.database.change(
    'update people.invitations set accepted_at = accepted_at - ? where entered_at is null',
    ENTERING_MS_MAX + 1,
  );
}

async function namesIn(booted: Booted, groupId: string): Promise<readonly string[]> {
  const rows = await booted.database.rows(
    `select a.name
      from members m
      join people.accounts a on a.id = m.account_id
      where m.group_id = ?
      order by a.name`,
    groupId,
  );
  return rows.map(({ name }) => String(name));
}

/** Of the only invitation: whether it was accepted, and its person let in. */
async function readState(booted: Booted): Promise<string> {
  const [row] = await booted.database.rows(
    `select
        case when accepted_at is null then 'open' else 'accepted' end as accepted,
        case when entered_at is null then 'outside' else 'inside' end as entered
      from people.invitations`,
  );
  return `${String(row?.['accepted'])}, ${String(row?.['entered'])}`;
}

async function countAccounts(booted: Booted, email: string): Promise<number> {
  const rows = await booted.database.rows('select id from people.accounts where email = ?', email);
  return rows.length;
}

test('who accepted right before a crash is in the group after the next start', async () => {
  await using first = await boot();
  const { groupId, token } = await invite(first);
  await assert.rejects(
    acceptBy(first, token, () => () => Promise.reject(END)),
    END,
  );
  const before = [await readState(first), await namesIn(first, groupId)];
  await letTimePass(first);

  await using second = await first.restart();

  assert.deepEqual(before, ['accepted, outside', ['Olga']]);
  assert.equal(await readState(second), 'accepted, inside');
  assert.deepEqual(await namesIn(second, groupId), ['Nia', 'Olga']);
});

test('who accepted right before a crash is let in when somebody opens the link a minute later', async () => {
  await using booted = await boot();
  const { groupId, token } = await invite(booted);
  await assert.rejects(
    acceptBy(booted, token, () => () => Promise.reject(END)),
    END,
  );
  const open = () => booted.call(`/inbox/invitation/${token}`);

  const early = await open();
  const before = await namesIn(booted, groupId);
  await letTimePass(booted);
  const late = await open();

  assert.deepEqual([early.status, late.status], [410, 410]);
  assert.deepEqual(before, ['Olga']);
  assert.deepEqual(await namesIn(booted, groupId), ['Nia', 'Olga']);
});

test('who was removed again before the start after a crash is not let in a second time', async () => {
  await using first = await boot();
  const { owner, groupId, token } = await invite(first);
  await assert.rejects(
    acceptBy(first, token, (enter) => async (acceptance) => {
      await enter(acceptance);
      throw END;
    }),
    END,
  );
  const [nia] = await first.database.rows(
    'select id from people.accounts where email = ?',
    'nia@example.com',
  );
  const member = `/api/v1/groups/${groupId}/members/${String(nia?.['id'])}`;
  assert.equal((await owner.send('DELETE', member)).status, 204);
  await letTimePass(first);

  await using second = await first.restart();

  assert.deepEqual(await namesIn(second, groupId), ['Olga']);
  assert.equal(await readState(second), 'accepted, inside');
});

test('an invitation whose group is full after a crash is open again, and its account stays', async () => {
  await using first = await boot();
  const { groupId, token } = await invite(first);
  await assert.rejects(
    acceptBy(first, token, () => () => Promise.reject(END)),
    END,
  );
  await fill(first, groupId);
  await letTimePass(first);

  await using second = await first.restart();

  assert.equal(await readState(second), 'open, outside');
  assert.equal(await countAccounts(second, 'nia@example.com'), 1);
});

test('a group that is full by the time of entering takes back invitation and account', async () => {
  await using booted = await boot();
  const { groupId, token } = await invite(booted);

  await assert.rejects(
    acceptBy(booted, token, (enter) => async (acceptance) => {
      await fill(booted, groupId);
      return await enter(acceptance);
    }),
    { code: 'limit_reached' },
  );

  assert.equal(await readState(booted), 'open, outside');
  assert.equal(await countAccounts(booted, 'nia@example.com'), 0);
  const entries = await booted.database.rows(
    "select action from people.audit where action like '%back' or action like '%reopened'",
  );
  assert.deepEqual(entries.map(({ action }) => action).toSorted(), [
    'account_taken_back',
    'invitation_reopened',
  ]);
  const sessions = await booted.database.rows(
    "select s.token_hash from people.sessions s where s.agent = 'test' and s.account_id not in (select id from people.accounts)",
  );
  assert.deepEqual(sessions, []);
});

test('an owner who is removed while somebody accepts leaves no way in', async () => {
  await using booted = await boot();
  const { owner, groupId, token } = await invite(booted);
  const other = await newPerson(booted, 'Otto');
  await join(booted, { groupId, person: other, role: 'owner' });

  await assert.rejects(
    acceptBy(booted, token, (enter) => async (acceptance) => {
      await other.send('DELETE', `/api/v1/groups/${groupId}/members/${owner.accountId}`);
      return await enter(acceptance);
    }),
    { code: 'link_used_up' },
  );

  assert.deepEqual(await namesIn(booted, groupId), ['Otto']);
  assert.equal(await countAccounts(booted, 'nia@example.com'), 0);
});

/** To the last place. */
async function fill(booted: Booted, groupId: string): Promise<void> {
  await booted.database.change(
    `insert into people.accounts (id, name, created_at)
      with recursive n(i) as (select 2 union all select i + 1 from n where i <= ${MEMBERS_PER_GROUP_MAX})
      select 'full_' || i, 'F', 1 from n`,
  );
  await booted.database.change(
    `insert into members (group_id, account_id, role, joined_at, read_up_to)
      select ?, id, 'member', 1, 0 from people.accounts where id like 'full#_%' escape '#'`,
    groupId,
  );
}
