// People of brands and of the hub: who gives, changes and takes roles, and that somebody always stays who
// answers for them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '@lothub/kit/secrets/ids';
import { readRights } from '../src/brands/access.ts';
import { changeRole, giveRole, listPeople, takeRole } from '../src/brands/grants.ts';
import { BRANDS_PER_PERSON_MAX, PEOPLE_PER_BRAND_MAX } from '../src/brands/plan-role.ts';
import { COMMAND_LINE, type GrantPlace } from '../src/brands/roles-of-place.ts';
import { setRolesBySignOn } from '../src/brands/sign-on-roles.ts';
import { HUB, placeText } from '../src/places/place.ts';
import { newPerson, openTestPeople, type TestAccount } from './opened-people.ts';
import { codeOfRefusal } from './refusal-code.ts';

const opened = await openTestPeople();
after(() => opened[Symbol.asyncDispose]());
const { people, database } = opened;
const { reader } = people.store;

const HUB_PLACE: GrantPlace = { kind: 'hub', id: '' };

/** A brand of its own for each test. */
function newBrand(): GrantPlace {
  return { kind: 'brand', id: newId('grp').replace('grp_', 'brand-') };
}

async function brandWith(
  ...roles: readonly string[]
): Promise<{ readonly place: GrantPlace; readonly people: readonly TestAccount[] }> {
  const place = newBrand();
  const made: TestAccount[] = [];
  for (const role of roles) made.push(await newPerson(people, { name: role, place, role }));
  return { place, people: made };
}

function one(accounts: readonly TestAccount[], index = 0): TestAccount {
  const account = accounts[index];
  assert.ok(account);
  return account;
}

async function rolesIn(place: GrantPlace): Promise<readonly string[]> {
  const { items } = await listPeople(people, COMMAND_LINE, { place, limit: 100 });
  return items.map(({ role }) => role).toSorted();
}

test('a manager sees the people of the brand by their names, in pages', async () => {
  const { place, people: made } = await brandWith('manager', 'viewer', 'quality');
  const mia = one(made);

  const first = await listPeople(people, mia.actor, { place, limit: 2 });
  const second = await listPeople(people, mia.actor, {
    place,
    limit: 2,
    after: first.next ?? undefined,
  });

  const names = [...first.items, ...second.items].map(({ name }) => name);
  assert.deepEqual(names, ['manager', 'quality', 'viewer']);
  assert.deepEqual(first.items[0], {
    account_id: mia.accountId,
    name: 'manager',
    email: mia.email,
    role: 'manager',
    by_sign_on: false,
    since: '2026-03-04T05:06:07.890Z',
  });
  assert.equal(second.next, null);
});

test('who is no manager neither lists, changes nor takes, and another brand is not there', async () => {
  const { place, people: made } = await brandWith('manager', 'quality', 'viewer');
  const [mia, quality, viewer] = [one(made), one(made, 1), one(made, 2)];
  const operator = await newPerson(people, { place: HUB_PLACE, role: 'operator' });
  const elsewhere = one((await brandWith('manager')).people);
  const attempts = (actor: TestAccount['actor']) => [
    listPeople(people, actor, { place, limit: 10 }),
    changeRole(people, actor, { place, accountId: viewer.accountId, role: 'quality' }),
    takeRole(people, actor, { place, accountId: mia.accountId }),
  ];

  for (const { actor } of [quality, viewer]) {
    const codes = await Promise.all(attempts(actor).map(codeOfRefusal));
    assert.deepEqual(codes, ['role_required', 'role_required', 'role_required']);
  }
  for (const { actor } of [operator, elsewhere]) {
    const codes = await Promise.all(attempts(actor).map(codeOfRefusal));
    assert.deepEqual(codes, ['not_found', 'not_found', 'not_found']);
  }
  assert.deepEqual(await rolesIn(place), ['manager', 'quality', 'viewer']);
});

test('a manager changes a role and takes it, each with an entry in the audit', async () => {
  const { place, people: made } = await brandWith('manager', 'viewer');
  const [mia, viewer] = [one(made), one(made, 1)];
  const key = { place, accountId: viewer.accountId };

  const changed = await changeRole(people, mia.actor, { ...key, role: 'quality' });
  await takeRole(people, mia.actor, key);

  assert.deepEqual([changed.role, changed.account_id], ['quality', viewer.accountId]);
  assert.equal((await readRights(reader, key.accountId)).brands.get(place.id), undefined);
  const entries = await database.rows(
    'select actor, account_id, action, details from audit where subject = ? and place = ? order by id',
    viewer.accountId,
    placeText(place),
  );
  assert.deepEqual(
    entries.map(({ actor, account_id, action, details }) => [actor, account_id, action, details]),
    [
      ['operator', null, 'role_granted', '{"role":"viewer"}'],
      ['manager', mia.accountId, 'role_changed', '{"role":"quality"}'],
      ['manager', mia.accountId, 'role_taken', '{"name":"viewer","role":"quality","left":false}'],
    ],
  );
});

test('the rights of somebody are those of all brands and of the hub, and gone with the role', async () => {
  const first = newBrand();
  const second = newBrand();
  const ada = await newPerson(people, { place: first, role: 'viewer' });
  for (const [place, role] of [
    [second, 'manager'],
    [HUB_PLACE, 'operator'],
  ] as const) {
    await giveRole(people, COMMAND_LINE, { place, accountId: ada.accountId, role });
  }

  const before = await readRights(reader, ada.accountId);
  await takeRole(people, COMMAND_LINE, { place: first, accountId: ada.accountId });
  const after = await readRights(reader, ada.accountId);

  assert.equal(before.hub, 'operator');
  assert.deepEqual(Object.fromEntries(before.brands), {
    [first.id]: 'viewer',
    [second.id]: 'manager',
  });
  assert.deepEqual(Object.fromEntries(after.brands), { [second.id]: 'manager' });
});

test('anybody leaves a brand, but not its last manager', async () => {
  const { place, people: made } = await brandWith('manager', 'viewer');
  const [mia, viewer] = [one(made), one(made, 1)];

  const left = takeRole(people, viewer.actor, { place, accountId: viewer.accountId });
  const codes = [
    await codeOfRefusal(left),
    await codeOfRefusal(takeRole(people, mia.actor, { place, accountId: mia.accountId })),
    await codeOfRefusal(
      changeRole(people, mia.actor, { place, accountId: mia.accountId, role: 'viewer' }),
    ),
    await codeOfRefusal(
      giveRole(people, COMMAND_LINE, { place, accountId: mia.accountId, role: 'quality' }),
    ),
  ];

  assert.deepEqual(codes, ['done', 'conflict', 'conflict', 'conflict']);
  assert.deepEqual(await rolesIn(place), ['manager']);
});

for (let round = 0; round < 5; round += 1) {
  test(`of two managers who leave at the same moment one stays, round ${round}`, async () => {
    const { place, people: made } = await brandWith('manager', 'manager');

    const codes = await Promise.all(
      made.map(({ actor, accountId }) =>
        codeOfRefusal(takeRole(people, actor, { place, accountId })),
      ),
    );

    assert.deepEqual(codes.toSorted(), ['conflict', 'done']);
    assert.deepEqual(await rolesIn(place), ['manager']);
  });

  test(`of two managers who remove each other one stays, round ${round}`, async () => {
    const { place, people: made } = await brandWith('manager', 'manager');
    const [ada, bob] = [one(made), one(made, 1)];

    const codes = await Promise.all([
      codeOfRefusal(takeRole(people, ada.actor, { place, accountId: bob.accountId })),
      codeOfRefusal(
        changeRole(people, bob.actor, { place, accountId: ada.accountId, role: 'viewer' }),
      ),
    ]);

    // Who came too late is no manager by then, or not there.
    assert.equal(codes.filter((code) => code === 'done').length, 1);
    assert.ok((await rolesIn(place)).includes('manager'));
  });
}

test('the last operator stays, and a second one may go', async () => {
  await using alone = await openTestPeople();
  const place = HUB_PLACE;
  const ada = await newPerson(alone.people, { place, role: 'operator' });
  const leave = () => takeRole(alone.people, ada.actor, { place, accountId: ada.accountId });

  const last = await codeOfRefusal(leave());
  await newPerson(alone.people, { place, role: 'operator' });
  const second = await codeOfRefusal(leave());

  assert.deepEqual([last, second], ['conflict', 'done']);
});

test('a role is given to nobody, not twice, and only where there is such a role', async () => {
  const place = newBrand();
  const ada = await newPerson(people);
  const give = (accountId: string, role: string) =>
    codeOfRefusal(giveRole(people, COMMAND_LINE, { place, accountId, role }));

  const codes = [
    await give('usr_nobody', 'viewer'),
    await give(ada.accountId, 'operator'),
    await give(ada.accountId, 'viewer'),
    await give(ada.accountId, 'viewer'),
  ];

  assert.deepEqual(codes, ['not_found', 'fields_invalid', 'done', 'done']);
  const entries = await database.rows('select id from audit where subject = ?', ada.accountId);
  assert.equal(entries.length, 1);
});

/** Rows written past the rules, to reach a limit. */
async function fill(rows: {
  readonly accounts: number;
  readonly brands: number;
  readonly prefix: string;
}) {
  const { accounts, brands, prefix } = rows;
  if (accounts > 0) {
    await database.change(
      `insert into accounts (id, name, created_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${accounts})
        select '${prefix}-' || i, 'F', 1 from n`,
    );
    await database.change(
      `insert into grants (account_id, place, role, granted_at)
        select id, '${prefix}', 'viewer', 1 from accounts where id like '${prefix}-%'`,
    );
    return;
  }
  await database.change(
    `insert into grants (account_id, place, role, granted_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${brands})
      select '${prefix}', 'brand:full-' || i, 'viewer', 1 from n`,
  );
}

test('a brand has so many people and no more', async () => {
  const place = newBrand();
  await fill({ accounts: PEOPLE_PER_BRAND_MAX - 1, brands: 0, prefix: placeText(place) });
  const [ada, bob] = [await newPerson(people), await newPerson(people)];

  const codes = await Promise.all(
    [ada, bob].map(({ accountId }) =>
      codeOfRefusal(giveRole(people, COMMAND_LINE, { place, accountId, role: 'viewer' })),
    ),
  );

  assert.deepEqual(codes.toSorted(), ['done', 'limit_reached']);
});

test('a person is in so many brands and no more, and operates the hub all the same', async () => {
  const ada = await newPerson(people);
  await fill({ accounts: 0, brands: BRANDS_PER_PERSON_MAX, prefix: ada.accountId });
  const { accountId } = ada;

  const codes = [
    await codeOfRefusal(
      giveRole(people, COMMAND_LINE, { place: newBrand(), accountId, role: 'viewer' }),
    ),
    await codeOfRefusal(
      giveRole(people, COMMAND_LINE, { place: HUB_PLACE, accountId, role: 'operator' }),
    ),
  ];

  assert.deepEqual(codes, ['limit_reached', 'done']);
});

test('sign-on gives and takes what it says, and nothing that a person gave', async () => {
  const [first, second, third] = [newBrand(), newBrand(), newBrand()];
  for (const place of [first, second]) await newPerson(people, { place, role: 'manager' });
  const ada = await newPerson(people, { place: third, role: 'viewer' });
  const account = { id: ada.accountId, name: ada.name };
  const readBrands = async () =>
    Object.fromEntries((await readRights(reader, ada.accountId)).brands.entries());

  await setRolesBySignOn(people, {
    account,
    roles: [
      { place: first, role: 'manager' },
      { place: third, role: 'quality' },
    ],
  });
  const given = await readBrands();
  await setRolesBySignOn(people, { account, roles: [{ place: second, role: 'quality' }] });
  const later = await readBrands();
  await setRolesBySignOn(people, { account, roles: [] });

  assert.deepEqual(given, { [first.id]: 'manager', [third.id]: 'viewer' });
  assert.deepEqual(later, { [second.id]: 'quality', [third.id]: 'viewer' });
  assert.deepEqual(await readBrands(), { [third.id]: 'viewer' });
});

test('sign-on keeps the last manager, and passes over a brand that is full', async () => {
  const [empty, full] = [newBrand(), newBrand()];
  await fill({ accounts: PEOPLE_PER_BRAND_MAX, brands: 0, prefix: placeText(full) });
  const ada = await newPerson(people);
  const account = { id: ada.accountId, name: ada.name };

  const first = await setRolesBySignOn(people, {
    account,
    roles: [
      { place: full, role: 'viewer' },
      { place: empty, role: 'manager' },
    ],
  });
  await setRolesBySignOn(people, { account, roles: [] });

  assert.deepEqual(first.withoutRoom, [{ place: full, role: 'viewer' }]);
  assert.deepEqual(Object.fromEntries((await readRights(reader, ada.accountId)).brands), {
    [empty.id]: 'manager',
  });
});

test('who leaves for good leaves all brands, and never the last of one', async () => {
  const { place, people: made } = await brandWith('manager', 'manager');
  const [ada, bob] = [one(made), one(made, 1)];
  const kind = people.places.find(place);
  assert.equal(kind?.leaving.kind, 'here');
  const leaving = kind.leaving;
  const plan = ({ accountId, actor }: TestAccount) =>
    leaving.plan({ accountId, actor, at: people.clock.nowMs() });

  const stays = await kind.findStays(ada.accountId);
  const { statements } = await plan(ada);
  await people.store.write(statements);

  assert.deepEqual(
    stays.map(({ place: where, name, role }) => [placeText(where), name, role]),
    [[placeText(place), place.id, 'manager']],
  );
  assert.deepEqual(await rolesIn(place), ['manager']);
  assert.equal(await codeOfRefusal(plan(bob)), 'conflict');
  assert.deepEqual(await people.places.find(HUB)?.findStays(ada.accountId), []);
});
