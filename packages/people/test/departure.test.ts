// Leaving for good: what an export holds, what an erased account leaves behind, and who is refused.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '@lothub/kit/secrets/ids';
import { newSession } from '../src/access/sessions.ts';
import { readRights } from '../src/brands/access.ts';
import { takeRole } from '../src/brands/grants.ts';
import { COMMAND_LINE, type GrantPlace } from '../src/brands/roles-of-place.ts';
import { eraseAccount } from '../src/departure/erase.ts';
import { exportAccount } from '../src/departure/export.ts';
import { viewInvitation } from '../src/invitations/accept.ts';
import { makeInvitation } from '../src/invitations/invitations.ts';
import { newPerson, openTestPeople } from './opened-people.ts';
import { codeOfRefusal } from './refusal-code.ts';

const opened = await openTestPeople();
after(() => opened[Symbol.asyncDispose]());
const { people, database } = opened;
const { reader } = people.store;

function newBrand(): GrantPlace {
  return { kind: 'brand', id: newId('grp').replace('grp_', 'brand-') };
}

async function invite(place: GrantPlace, email: string | null, actor = COMMAND_LINE) {
  const deps = { ...people, prefix: '/console' };
  const { url } = await makeInvitation(deps, actor, { place, role: 'viewer', email });
  return url.split('/').at(-1) ?? '';
}

test('an erased account keeps id and name, and loses e-mail, password, sessions and roles', async () => {
  const place = newBrand();
  await newPerson(people, { place, role: 'manager' });
  const ada = await newPerson(people, { name: 'Ada', place, role: 'quality' });
  const { accountId } = ada;
  const session = newSession({ accountId, agent: 'test', nowMs: people.clock.nowMs() });
  await people.store.write(session.statements);
  const [ends] = await database.rows('select session_ends from head');

  await eraseAccount(people, ada.actor, accountId);

  const rows = await database.rows(
    'select name, email, password_hash, erased_at from accounts where id = ?',
    accountId,
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ name: 'Ada', email: null, password_hash: null, erased_at: people.clock.nowMs() }],
  );
  const left = await database.rows(
    'select token_hash from sessions where account_id = ?',
    accountId,
  );
  assert.deepEqual(left, []);
  assert.equal((await readRights(reader, accountId)).brands.get(place.id), undefined);
  const [after] = await database.rows('select session_ends from head');
  assert.equal(Number(after?.['session_ends']), Number(ends?.['session_ends']) + 1);
  const entries = await database.rows(
    'select action, actor from audit where subject = ? order by id',
    accountId,
  );
  assert.deepEqual(
    entries.map(({ action, actor }) => [action, actor]),
    [
      ['role_granted', 'operator'],
      ['role_taken', 'Ada'],
      ['account_erased', 'Ada'],
    ],
  );
});

test('an e-mail is free again once its account is erased, and invitations for it are over', async () => {
  const place = newBrand();
  const ada = await newPerson(people);
  const [forAda, forAll] = [await invite(place, ada.email), await invite(place, null)];

  await eraseAccount(people, COMMAND_LINE, ada.accountId);

  const codes = [forAda, forAll].map((secret) => codeOfRefusal(viewInvitation(people, secret)));
  assert.deepEqual(await Promise.all(codes), ['link_used_up', 'done']);
  const stored = JSON.stringify([
    await database.rows('select * from invitations'),
    await database.rows('select * from accounts'),
    await database.rows('select * from audit'),
  ]);
  assert.ok(!stored.includes(ada.email));
});

test('the last manager and the last operator are not erased, and keep everything', async () => {
  await using alone = await openTestPeople();
  const place = newBrand();
  const mia = await newPerson(alone.people, { place, role: 'manager' });
  const hub: GrantPlace = { kind: 'hub', id: '' };
  const operator = await newPerson(alone.people, { place: hub, role: 'operator' });

  const codes = [
    await codeOfRefusal(eraseAccount(alone.people, mia.actor, mia.accountId)),
    await codeOfRefusal(eraseAccount(alone.people, COMMAND_LINE, operator.accountId)),
  ];

  assert.deepEqual(codes, ['conflict', 'conflict']);
  const rights = await readRights(alone.people.store.reader, mia.accountId);
  assert.deepEqual(Object.fromEntries(rights.brands), { [place.id]: 'manager' });
});

for (let round = 0; round < 4; round += 1) {
  test(`of two managers who are erased and removed at the same moment one stays, round ${round}`, async () => {
    const place = newBrand();
    const ada = await newPerson(people, { place, role: 'manager' });
    const bob = await newPerson(people, { place, role: 'manager' });

    const codes = await Promise.all([
      codeOfRefusal(eraseAccount(people, ada.actor, ada.accountId)),
      codeOfRefusal(takeRole(people, bob.actor, { place, accountId: bob.accountId })),
    ]);

    assert.deepEqual(codes.toSorted(), ['conflict', 'done']);
    const left = await database.rows(
      "select role from grants where place = ? and role = 'manager'",
      `brand:${place.id}`,
    );
    assert.equal(left.length, 1);
  });
}

test('nobody erases the account of somebody else, and no account twice', async () => {
  const [ada, bob] = [await newPerson(people), await newPerson(people)];

  const codes = [
    await codeOfRefusal(eraseAccount(people, bob.actor, ada.accountId)),
    await codeOfRefusal(eraseAccount(people, ada.actor, ada.accountId)),
    await codeOfRefusal(eraseAccount(people, COMMAND_LINE, ada.accountId)),
    await codeOfRefusal(exportAccount(people, COMMAND_LINE, ada.accountId)),
  ];

  assert.deepEqual(codes, ['role_required', 'done', 'not_found', 'not_found']);
});

test('an export has what is kept of one person, and nothing of another', async () => {
  const place = newBrand();
  const ada = await newPerson(people, { name: 'Ada', place, role: 'manager' });
  await newPerson(people, { name: 'Bob', place, role: 'viewer' });
  await invite(place, 'nia@example.com', ada.actor);

  const exported = await exportAccount(people, ada.actor, ada.accountId);

  assert.deepEqual(exported.account, {
    id: ada.accountId,
    email: ada.email,
    name: 'Ada',
    has_password: false,
    created_at: '1970-01-01T00:00:00.001Z',
  });
  assert.deepEqual(
    exported.places.map(({ place: where, role }) => [where, role]),
    [[`brand:${place.id}`, 'manager']],
  );
  assert.deepEqual(
    exported.audit.map(({ action }) => action),
    ['invitation_made', 'role_granted'],
  );
  assert.deepEqual(
    exported.invitations.map(({ email, is_own: isOwn }) => [email, isOwn]),
    [['nia@example.com', true]],
  );
  assert.ok(!JSON.stringify(exported).includes('Bob'));
});
