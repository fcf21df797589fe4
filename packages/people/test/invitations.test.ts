// Invitations into brands and into the hub: who makes them, who may use them, and races on one link.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '@lothub/kit/secrets/ids';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { readRights } from '../src/brands/access.ts';
import { changeRole, giveRole, takeRole } from '../src/brands/grants.ts';
import { PEOPLE_PER_BRAND_MAX } from '../src/brands/plan-role.ts';
import { COMMAND_LINE, type GrantPlace } from '../src/brands/roles-of-place.ts';
import { PeopleProblem } from '../src/errors.ts';
import { acceptInvitation, viewInvitation } from '../src/invitations/accept.ts';
import {
  INVITATIONS_MAX,
  INVITATION_LIFE_MS,
  listInvitations,
  makeInvitation,
  withdrawInvitation,
} from '../src/invitations/invitations.ts';
import type { MadeInvitation } from '../src/invitations/invitations.ts';
import { placeText } from '../src/places/place.ts';
import type { Actor } from '../src/store/audit.ts';
import { PUBLIC_URL, newPerson, openTestPeople, type TestAccount } from './opened-people.ts';
import { codeOfRefusal } from './refusal-code.ts';

const opened = await openTestPeople();
after(() => opened[Symbol.asyncDispose]());
const { people, database } = opened;
const { reader } = people.store;

const HUB_PLACE: GrantPlace = { kind: 'hub', id: '' };
const PASSWORD = 'kumquat on a stick';

/** A brand of its own for each test. */
function newBrand(): GrantPlace {
  return { kind: 'brand', id: newId('grp').replace('grp_', 'brand-') };
}

async function newLedBrand(): Promise<{
  readonly place: GrantPlace;
  readonly mia: TestAccount;
}> {
  const place = newBrand();
  return { place, mia: await newPerson(people, { name: 'Mia', place, role: 'manager' }) };
}

function invite(
  actor: Actor,
  {
    place,
    role = 'viewer',
    email = null,
  }: { readonly place: GrantPlace; readonly role?: string; readonly email?: string | null },
): Promise<MadeInvitation> {
  return makeInvitation({ ...people, prefix: '/console' }, actor, { place, role, email });
}

function readSecret({ url }: MadeInvitation): string {
  return url.split('/').at(-1) ?? '';
}

function accept(made: MadeInvitation, person: TestAccount) {
  return acceptInvitation(people, { secret: readSecret(made), as: { kind: 'known', person } });
}

let peopleCount = 0;

/** Somebody without an account. */
function acceptAsNew(made: MadeInvitation, email = `nia-${(peopleCount += 1)}@example.com`) {
  return acceptInvitation(people, {
    secret: readSecret(made),
    as: {
      kind: 'new',
      person: { name: 'Nia', email, password: PASSWORD },
      browser: { agent: 'test', mark: undefined },
    },
  });
}

async function roleIn({ id: tenantId }: GrantPlace, { accountId }: TestAccount) {
  return (await readRights(reader, accountId)).brands.get(tenantId);
}

test('a manager invites for any role; the link is shown once and kept as its hash', async () => {
  const { place, mia } = await newLedBrand();

  const made = await invite(mia.actor, { place, role: 'quality', email: 'Nia@Example.com' });

  assert.match(made.url, /^https:\/\/hub\.example\.com\/console\/invitation\/[0-9A-Za-z]{43}$/);
  assert.ok(made.url.startsWith(PUBLIC_URL));
  const { url: _, ...listed } = made;
  assert.deepEqual(listed, {
    id: made.id,
    role: 'quality',
    email: 'nia@example.com',
    invited_by: 'Mia',
    created_at: '2026-03-04T05:06:07.890Z',
    expires_at: '2026-03-11T05:06:07.890Z',
  });
  const list = await listInvitations(people, mia.actor, { place, limit: 10 });
  assert.deepEqual(list, { items: [listed], next: null });
  const stored = JSON.stringify([
    await database.rows('select * from invitations'),
    await database.rows('select * from audit'),
  ]);
  assert.ok(stored.includes(sha256Hex(readSecret(made))) && !stored.includes(readSecret(made)));
});

test('whoever has the link sees the brand by its name, the role and who invites', async () => {
  const { place, mia } = await newLedBrand();
  const made = await invite(mia.actor, { place, role: 'viewer' });

  const view = await viewInvitation(people, readSecret(made));

  const placeName = place.id;
  assert.deepEqual(view, { place, placeName, role: 'viewer', invitedBy: 'Mia', email: null });
});

test('a new person comes into the brand with an account and is logged in', async () => {
  const { place, mia } = await newLedBrand();
  const made = await invite(mia.actor, { place, role: 'quality' });

  const { person, loggedIn, role } = await acceptAsNew(made);

  assert.equal(role, 'quality');
  assert.equal(loggedIn?.accountId, person.accountId);
  assert.deepEqual(Object.fromEntries((await readRights(reader, person.accountId)).brands), {
    [place.id]: 'quality',
  });
  const entries = await database.rows(
    'select action, place, subject, details from audit where account_id = ? order by id',
    person.accountId,
  );
  assert.deepEqual(
    entries.map((row) => [row['action'], row['place'], row['subject'], row['details']]),
    [
      ['account_created', null, person.accountId, '{}'],
      ['invitation_accepted', placeText(place), made.id, '{"role":"quality"}'],
      [
        'role_granted',
        placeText(place),
        person.accountId,
        `{"role":"quality","invitation":"${made.id}"}`,
      ],
    ],
  );
});

test('one person comes into two brands, with a role in each', async () => {
  const [first, second] = [await newLedBrand(), await newLedBrand()];
  const ada = await newPerson(people);

  await accept(await invite(first.mia.actor, { place: first.place, role: 'viewer' }), ada);
  await accept(await invite(second.mia.actor, { place: second.place, role: 'manager' }), ada);

  assert.deepEqual(Object.fromEntries((await readRights(reader, ada.accountId)).brands), {
    [first.place.id]: 'viewer',
    [second.place.id]: 'manager',
  });
});

test('nobody but a manager invites into a brand, sees its invitations or withdraws them', async () => {
  const { place, mia } = await newLedBrand();
  const made = await invite(mia.actor, { place });
  const quality = await newPerson(people, { place, role: 'quality' });
  const other = (await newLedBrand()).mia;
  const attempts = (actor: Actor) =>
    Promise.all([
      codeOfRefusal(invite(actor, { place })),
      codeOfRefusal(listInvitations(people, actor, { place, limit: 10 })),
      codeOfRefusal(withdrawInvitation(people, actor, { place, id: made.id })),
    ]);

  assert.deepEqual(await attempts(quality.actor), Array<string>(3).fill('role_required'));
  assert.deepEqual(await attempts(other.actor), Array<string>(3).fill('not_found'));
});

test('an operator invites the first manager of a brand, and nobody once there is one', async () => {
  const place = newBrand();
  const operator = await newPerson(people, { name: 'Opal', place: HUB_PLACE, role: 'operator' });

  const quality = await codeOfRefusal(invite(operator.actor, { place, role: 'quality' }));
  const first = await invite(operator.actor, { place, role: 'manager' });
  const second = await invite(operator.actor, { place, role: 'manager' });
  const ada = await newPerson(people);
  await accept(first, ada);
  const late = await codeOfRefusal(accept(second, await newPerson(people)));
  const again = await codeOfRefusal(invite(operator.actor, { place, role: 'manager' }));

  assert.deepEqual([quality, late, again], ['role_required', 'link_used_up', 'conflict']);
  assert.equal(await roleIn(place, ada), 'manager');
  assert.equal(await roleIn(place, operator), undefined);
});

for (let round = 0; round < 3; round += 1) {
  test(`of two first managers at the same moment one comes in, round ${round}`, async () => {
    const place = newBrand();
    const operator = await newPerson(people, { place: HUB_PLACE, role: 'operator' });
    const links = [
      await invite(operator.actor, { place, role: 'manager' }),
      await invite(operator.actor, { place, role: 'manager' }),
    ];

    const codes = await Promise.all(
      links.map(async (link) => codeOfRefusal(accept(link, await newPerson(people)))),
    );

    assert.deepEqual(codes.toSorted(), ['done', 'link_used_up']);
  });

  test(`of several who use one link at the same moment one comes in, round ${round}`, async () => {
    const { place, mia } = await newLedBrand();
    const made = await invite(mia.actor, { place });
    const [ada, bob, eve] = [
      await newPerson(people),
      await newPerson(people),
      await newPerson(people),
    ];

    const codes = await Promise.all([ada, bob, eve].map((one) => codeOfRefusal(accept(made, one))));

    assert.deepEqual(codes.toSorted(), ['done', 'link_used_up', 'link_used_up']);
    const rows = await database.rows(
      'select account_id from grants where place = ?',
      placeText(place),
    );
    assert.equal(rows.length, 2);
  });

  test(`a manager who is demoted while the link is used leaves no way in, round ${round}`, async () => {
    const { place, mia } = await newLedBrand();
    await newPerson(people, { place, role: 'manager' });
    const made = await invite(mia.actor, { place });
    const ada = await newPerson(people);

    const [demoted, accepted] = await Promise.all([
      codeOfRefusal(
        changeRole(people, COMMAND_LINE, { place, accountId: mia.accountId, role: 'viewer' }),
      ),
      codeOfRefusal(accept(made, ada)),
    ]);
    const after = await codeOfRefusal(accept(made, await newPerson(people)));

    assert.equal(demoted, 'done');
    assert.ok(accepted === 'done' || accepted === 'link_used_up');
    assert.equal((await roleIn(place, ada)) === 'viewer', accepted === 'done');
    assert.equal(after, 'link_used_up');
  });

  test(`a manager who is demoted while inviting leaves no open link, round ${round}`, async () => {
    const { place, mia } = await newLedBrand();
    await newPerson(people, { place, role: 'manager' });

    const [made] = await Promise.allSettled([
      invite(mia.actor, { place }),
      takeRole(people, COMMAND_LINE, { place, accountId: mia.accountId }),
    ]);

    const { items } = await listInvitations(people, COMMAND_LINE, { place, limit: 10 });
    assert.deepEqual(items, []);
    if (made.status === 'fulfilled') {
      const code = await codeOfRefusal(accept(made.value, await newPerson(people)));
      assert.equal(code, 'link_used_up');
    }
  });
}

test('an operator invites operators, and a manager does not', async () => {
  const operator = await newPerson(people, { place: HUB_PLACE, role: 'operator' });
  const { mia } = await newLedBrand();

  const refused = await codeOfRefusal(invite(mia.actor, { place: HUB_PLACE, role: 'operator' }));
  const made = await invite(operator.actor, { place: HUB_PLACE, role: 'operator' });
  const { person } = await acceptAsNew(made);

  assert.equal(refused, 'role_required');
  assert.equal(await viewInvitation(people, readSecret(made)).catch(codeIn), 'link_used_up');
  assert.equal((await readRights(reader, person.accountId)).hub, 'operator');
});

function codeIn(error: unknown): string {
  return error instanceof PeopleProblem ? error.code : String(error);
}

test('the command line invites into any brand, and its link says so', async () => {
  const place = newBrand();

  const made = await invite(COMMAND_LINE, { place, role: 'viewer' });
  const { invitedBy } = await viewInvitation(people, readSecret(made));
  await accept(made, await newPerson(people));

  assert.equal(invitedBy, null);
  assert.equal(await codeOfRefusal(accept(made, await newPerson(people))), 'link_used_up');
});

test('an invitation for an e-mail is for no other, and keeps quiet about whose it is', async () => {
  const { place, mia } = await newLedBrand();
  const ada = await newPerson(people);
  const made = await invite(mia.actor, { place, email: ada.email.toUpperCase() });

  const other = await accept(made, await newPerson(people)).catch((error: unknown) => error);
  const asNew = await codeOfRefusal(acceptAsNew(made));

  assert.ok(other instanceof PeopleProblem && other.code === 'conflict');
  assert.ok(!other.message.includes(ada.email));
  assert.equal(asNew, 'conflict');
  assert.equal(await codeOfRefusal(accept(made, ada)), 'done');
});

test('an invitation ends after seven days, and not a moment before', async () => {
  await using timed = await openTestPeople();
  const place = newBrand();
  const deps = { ...timed.people, prefix: '/console' };
  const values = { place, role: 'viewer', email: null };
  const made = await makeInvitation(deps, COMMAND_LINE, values);
  const view = () => codeOfRefusal(viewInvitation(timed.people, readSecret(made)));

  timed.pass(INVITATION_LIFE_MS - 1);
  const before = await view();
  timed.pass(1);

  assert.deepEqual([before, await view()], ['done', 'link_used_up']);
});

test('who is in the brand already leaves the invitation open, and keeps the role', async () => {
  const { place, mia } = await newLedBrand();
  const made = await invite(mia.actor, { place, role: 'viewer' });

  const already = await codeOfRefusal(accept(made, mia));
  const later = await codeOfRefusal(accept(made, await newPerson(people)));

  assert.deepEqual([already, later], ['conflict', 'done']);
  assert.equal(await roleIn(place, mia), 'manager');
});

test('an account that was erased meanwhile comes in nowhere', async () => {
  const { place, mia } = await newLedBrand();
  const made = await invite(mia.actor, { place });
  const ada = await newPerson(people);
  await database.change(
    'update accounts set erased_at = 1, email = null where id = ?',
    ada.accountId,
  );

  const refused = await codeOfRefusal(accept(made, ada));

  assert.equal(refused, 'login_required');
  assert.equal(await roleIn(place, ada), undefined);
});

test('a manager withdraws an invitation, once, and the link says so', async () => {
  const { place, mia } = await newLedBrand();
  const made = await invite(mia.actor, { place });
  const withdraw = () =>
    codeOfRefusal(withdrawInvitation(people, mia.actor, { place, id: made.id }));

  const codes = [await withdraw(), await withdraw(), await codeOfRefusal(acceptAsNew(made))];

  assert.deepEqual(codes, ['done', 'not_found', 'link_used_up']);
});

test('a link that nobody made is not there', async () => {
  assert.equal(await codeOfRefusal(viewInvitation(people, 'x'.repeat(43))), 'not_found');
});

for (const [what, values] of [
  ['a role of the hub', { role: 'operator' }],
  ['an e-mail that is none', { email: 'nia' }],
] as const) {
  test(`an invitation into a brand with ${what} is refused`, async () => {
    const { place, mia } = await newLedBrand();

    assert.equal(await codeOfRefusal(invite(mia.actor, { place, ...values })), 'fields_invalid');
  });
}

test('a brand has a hundred open invitations, in pages; those of a former manager make room', async () => {
  const { place, mia } = await newLedBrand();
  const former = await newPerson(people, { place, role: 'manager' });
  for (const { actor } of [former, mia]) {
    for (let i = 0; i < INVITATIONS_MAX / 2; i += 1) await invite(actor, { place });
  }

  const over = await codeOfRefusal(invite(mia.actor, { place }));
  const first = await listInvitations(people, mia.actor, { place, limit: 60 });
  const second = await listInvitations(people, mia.actor, {
    place,
    limit: 60,
    after: first.next ?? undefined,
  });
  await takeRole(people, mia.actor, { place, accountId: former.accountId });
  const room = await codeOfRefusal(invite(mia.actor, { place }));
  const left = await listInvitations(people, mia.actor, { place, limit: 100 });

  assert.deepEqual([over, room], ['limit_reached', 'done']);
  assert.deepEqual([first.items.length, second.items.length, second.next], [60, 40, null]);
  assert.equal(left.items.length, INVITATIONS_MAX / 2 + 1);
});

test('a full brand takes nobody in, and the invitation stays open', async () => {
  const { place, mia } = await newLedBrand();
  const made = await invite(mia.actor, { place });
  const text = placeText(place);
  await database.change(
    `insert into accounts (id, name, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${PEOPLE_PER_BRAND_MAX - 1})
      select '${text}-' || i, 'F', 1 from n`,
  );
  await database.change(
    `insert into grants (account_id, place, role, granted_at)
      select id, '${text}', 'viewer', 1 from accounts where id like '${text}-%'`,
  );

  const full = [
    await codeOfRefusal(accept(made, await newPerson(people))),
    await codeOfRefusal(acceptAsNew(made)),
  ];
  await takeRole(people, mia.actor, { place, accountId: `${text}-1` });
  const room = await codeOfRefusal(accept(made, await newPerson(people)));

  assert.deepEqual([...full, room], ['limit_reached', 'limit_reached', 'done']);
});

test('a brand is called as the hub calls it', async () => {
  await using named = await openTestPeople();
  const place = newBrand();
  await giveRole(named.people, COMMAND_LINE, {
    place,
    accountId: (await newPerson(named.people)).accountId,
    role: 'manager',
  });
  named.people.brandNames.findBy((tenantId) => Promise.resolve({ name: `Bakery ${tenantId}` }));
  const deps = { ...named.people, prefix: '/console' };
  const values = { place, role: 'viewer', email: null };

  const made = await makeInvitation(deps, COMMAND_LINE, values);

  const { placeName } = await viewInvitation(named.people, readSecret(made));
  assert.equal(placeName, `Bakery ${place.id}`);
});
