// The attacks on the ways into a service, written once for every service that people log in to: planted and forged
// sessions, guessed passwords and e-mails, links that several people use at the same moment.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { present } from '@lothub/kit/present';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { newId } from '@lothub/kit/secrets/ids';
import { openForFile } from '@lothub/kit/test/open-for-file';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { newSession } from '../src/access/sessions.ts';
import { insertAccount } from '../src/accounts/queries.ts';
import { makeSetupLink, type SetupLink } from '../src/accounts/set-up.ts';
import { COMMAND_LINE } from '../src/brands/roles-of-place.ts';
import { makeInvitation } from '../src/invitations/invitations.ts';
import { DerivingThread } from '../src/passwords/deriving.ts';
import type { People } from '../src/people.ts';
import { testPasswords } from './test-passwords.ts';

/** A service that a test has booted. */
export interface EntranceService extends AsyncDisposable {
  readonly base: string;
  readonly service: { readonly people: People; readonly setupLink: SetupLink | undefined };
  readonly log: () => string;
}

export interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** A request of a browser, without its cookies. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a browser sends to come in. Whoever is refused gets a status of 400 or more. */
export interface Entrance {
  /** What the tests call it. */
  readonly name: string;
  /** The start of the paths of its links. */
  readonly prefix: '/console' | '/inbox';
  readonly boot: (env: Readonly<Record<string, string>>) => Promise<EntranceService>;
  readonly logIn: (who: { readonly email: string; readonly password: string }) => Sent;
  readonly logOut: Sent;
  readonly setUp: (secret: string, person: NewPerson) => Sent;
  /** @param person undefined: the person of the session */
  readonly accept: (secret: string, person: NewPerson | undefined) => Sent;
  readonly changePassword: (passwords: { readonly old: string; readonly next: string }) => Sent;
  /** A page that is answered with 200 to people who are logged in, and to nobody else. */
  readonly me: string;
  /** An invitation that one person accepts; undefined: into a brand. */
  readonly invite?: (service: EntranceService, email: string | null) => Promise<TestInvitation>;
}

export interface TestInvitation {
  readonly secret: string;
  /** How many people came in by it. */
  readonly countInside: () => Promise<number>;
}

/** The log-in by the pages of a service. */
export function formEntrance(options: Pick<Entrance, 'name' | 'prefix' | 'boot'>): Entrance {
  const { prefix } = options;
  const form = (path: string, values: Readonly<Record<string, string>>): Sent => ({
    method: 'POST',
    path: `${prefix}${path}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(values).toString(),
  });
  return {
    ...options,
    logIn: (who) => form('/login', who),
    logOut: form('/logout', {}),
    setUp: (secret, person) => form(`/setup/${secret}`, { ...person }),
    accept: (secret, person) => form(`/invitation/${secret}`, { ...person }),
    changePassword: ({ old, next }) =>
      form('/me/password', { old_password: old, new_password: next }),
    me: `${prefix}/me`,
  };
}

const OWN_SITE = { 'Sec-Fetch-Site': 'same-origin' };
const PASSWORD = 'kumquat on a stick';
const NEW_PASSWORD = 'persimmon in a pan';
const WRONG_PASSWORD = 'kumquat on a stone';
const PLANTED = 'A'.repeat(43);
const SESSION_COOKIE = /(?:__Host-)?lothub_session=([0-9A-Za-z]{43});/;
const BROWSER_COOKIE = /((?:__Host-)?lothub_browser=[^;]+);/;
const passwordHash = await testPasswords.hash(PASSWORD);

interface TestPerson {
  readonly accountId: string;
  readonly email: string;
  readonly cookie: string;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

let people = 0;

function somebody(): NewPerson {
  people += 1;
  return { name: 'Nia', email: `nia-${people}@example.com`, password: PASSWORD };
}

/** One service of one entrance, and what its browsers do. */
class Visited {
  readonly entrance: Entrance;
  readonly served: EntranceService;

  constructor(entrance: Entrance, served: EntranceService) {
    this.entrance = entrance;
    this.served = served;
  }

  async send({ method, path, headers, body }: Sent, cookie = ''): Promise<Answered> {
    const response = await fetch(this.served.base + path, {
      method,
      redirect: 'manual',
      headers: { Accept: 'text/html', ...OWN_SITE, ...headers, Cookie: cookie },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  logIn(
    who: { readonly email: string; readonly password?: string },
    cookie = '',
  ): Promise<Answered> {
    const { email, password = PASSWORD } = who;
    return this.send(this.entrance.logIn({ email, password }), cookie);
  }

  changePassword(old: string, next: string, cookie: string): Promise<Answered> {
    return this.send(this.entrance.changePassword({ old, next }), cookie);
  }

  /** @param secret of the cookie of a session */
  async isIn(secret: string): Promise<boolean> {
    const name = this.served.service.people.cookies.sessionName;
    const sent = { method: 'GET', path: this.entrance.me };
    const { status } = await this.send(sent, `${name}=${secret}`);
    return status === 200;
  }

  /** An account with a session. */
  async newPerson(hash: string | null = passwordHash): Promise<TestPerson> {
    const { store, cookies } = this.served.service.people;
    const accountId = newId('usr');
    const email = `${accountId.toLowerCase()}@example.com`;
    const nowMs = Date.now();
    const { secret, statements } = newSession({ accountId, agent: 'test', nowMs });
    await store.write([
      insertAccount({ id: accountId, email, name: 'Ada', passwordHash: hash, createdAt: nowMs }),
      ...statements,
    ]);
    return { accountId, email, cookie: `${cookies.sessionName}=${secret}` };
  }

  async invite(email: string | null = null): Promise<TestInvitation> {
    const { prefix, invite = inviteIntoBrand(prefix) } = this.entrance;
    return await invite(this.served, email);
  }

  async count(query: Sql): Promise<number> {
    const rows = await this.served.service.people.store.reader.all(query);
    return rows.length;
  }
}

function inviteIntoBrand(prefix: Entrance['prefix']): NonNullable<Entrance['invite']> {
  return async ({ service }, email) => {
    const brand = newId('brand').toLowerCase();
    const place = { kind: 'brand', id: brand } as const;
    const made = await makeInvitation({ ...service.people, prefix }, COMMAND_LINE, {
      ...{ place, role: 'viewer', email },
    });
    const { reader } = service.people.store;
    return {
      secret: readSecret(made.url),
      countInside: async () =>
        (await reader.all(sql`select account_id from grants where place = ${`brand:${brand}`}`))
          .length,
    };
  };
}

function readSecret(url: string): string {
  return url.split('/').at(-1) ?? '';
}

function sessionIn({ headers }: Answered): string | undefined {
  return SESSION_COOKIE.exec(headers.getSetCookie().join('\n'))?.[1];
}

function secretIn({ cookie }: TestPerson): string {
  return cookie.split('=')[1] ?? '';
}

const isDone = ({ status }: Answered): boolean => status < 400;

/** Of several requests, how many were done, and with what the others were refused. */
function outcome(answers: readonly Answered[]): readonly unknown[] {
  const refused = answers.filter((answer) => !isDone(answer));
  return [answers.length - refused.length, refused.map(({ status }) => status)];
}

const LIMITS = {
  NOTIFICATIONS_RATE_LOGIN_BURST: '3',
  NOTIFICATIONS_RATE_LOGIN_PER_MINUTE: '2',
  PUBLIC_URL: 'https://lothub.example.com',
} as const;

/**
 * Attacks entrances of one service.
 * @param open the service without limits
 */
export async function attackEntrances(
  entrances: readonly Entrance[],
  open: EntranceService,
): Promise<void> {
  // All of them before the first test: a file whose tests so far have ended is over.
  const limited = await Promise.all(entrances.map(({ boot }) => openForFile(boot(LIMITS))));
  for (const [index, entrance] of entrances.entries()) {
    attackEntrance(entrance, { open, limited: present(limited[index], 'its service') });
  }
}

function attackEntrance(
  entrance: Entrance,
  { open, limited }: { readonly open: EntranceService; readonly limited: EntranceService },
): void {
  const attack: Attack = (what, play) => {
    void test(`${entrance.name}: ${what}`, (t) =>
      play({ open: new Visited(entrance, open), limited: new Visited(entrance, limited) }, t));
  };

  // The first test: nobody may have an account here before.
  attack('of several who use the set-up links at once, one makes the first account', async (on) => {
    const { people: ofLimited, setupLink } = limited.service;
    const another = await makeSetupLink({ ...ofLimited, prefix: entrance.prefix });
    const links = [present(setupLink, 'a link of the start').url, another.url];

    const answers = await Promise.all(
      [0, 1, 2, 3].map((n) =>
        on.limited.send(entrance.setUp(readSecret(links[n % 2] ?? ''), somebody())),
      ),
    );

    assert.deepEqual(outcome(answers), [1, [410, 410, 410]]);
    assert.equal(answers.filter((answer) => sessionIn(answer) !== undefined).length, 1);
    assert.equal(await on.limited.count(sql`select id from accounts`), 1);
    assert.equal(await on.limited.count(sql`select role from grants where place = 'hub'`), 1);
    assert.equal(await on.limited.count(sql`select token_hash from sessions`), 1);
  });

  sessionAttacks(attack);
  guessingAttacks(attack);
  passwordAttacks(attack);
  invitationAttacks(entrance, attack);
}

type Attack = (
  what: string,
  play: (
    on: { readonly open: Visited; readonly limited: Visited },
    t: TestContext,
  ) => Promise<void>,
) => void;

function sessionAttacks(attack: Attack): void {
  attack('scripts cannot read the cookie of a session, and its hash alone is kept', async (on) => {
    const ada = await on.open.newPerson();

    const answer = await on.open.logIn(ada);

    const cookies = answer.headers.getSetCookie();
    const attributes = 'Path=/; HttpOnly; SameSite=Lax';
    assert.ok(isDone(answer));
    assert.equal(cookies.length, 2);
    assert.ok(cookies.every((cookie) => cookie.endsWith(attributes) && !cookie.includes('Domain')));
    const secret = sessionIn(answer) ?? '';
    assert.equal(
      await on.open.count(
        sql`select 1 as one from sessions where token_hash = ${sha256Hex(secret)}`,
      ),
      1,
    );
    assert.equal(
      await on.open.count(sql`select 1 as one from sessions where token_hash = ${secret}`),
      0,
    );
    assert.ok(!`${on.open.served.log()}${answer.text}`.includes(secret));
  });

  attack('behind https both cookies are secure and bound to the host', async (on) => {
    const ada = await on.limited.newPerson();

    const answer = await on.limited.logIn(ada);

    const cookies = answer.headers.getSetCookie();
    assert.equal(cookies.length, 2);
    for (const cookie of cookies) {
      assert.match(cookie, /^__Host-lothub_(?:session|browser)=/);
      assert.ok(cookie.endsWith('Path=/; HttpOnly; Secure; SameSite=Lax'), cookie);
      assert.ok(!cookie.includes('Domain'));
    }
    const plain = `lothub_session=${sessionIn(answer)}`;
    const { me } = on.limited.entrance;
    assert.ok(await on.limited.isIn(sessionIn(answer) ?? ''));
    assert.notEqual((await on.limited.send({ method: 'GET', path: me }, plain)).status, 200);
  });

  attack(
    'cookies that nobody was given open nothing, nor does the hash that is stored',
    async (on) => {
      const ada = await on.open.newPerson();
      const forged = ['', 'x', PLANTED, `${'A'.repeat(42)}%00`, "' or 1=1 --"];

      for (const secret of [...forged, sha256Hex(secretIn(ada))])
        assert.equal(await on.open.isIn(secret), false, secret);

      assert.ok(await on.open.isIn(secretIn(ada)));
    },
  );

  attack('a cookie that was planted before the log-in opens nothing after it', async (on) => {
    const ada = await on.open.newPerson();

    const answer = await on.open.logIn(ada, `lothub_session=${PLANTED}`);

    assert.ok(await on.open.isIn(sessionIn(answer) ?? ''));
    assert.equal(await on.open.isIn(PLANTED), false);
  });

  attack(
    'each log-in begins another session and ends that of the browser, whoever it belongs to',
    async (on) => {
      const [ada, eve] = [await on.open.newPerson(), await on.open.newPerson()];

      const overEve = await on.open.logIn(ada, eve.cookie);
      const overAda = await on.open.logIn(ada, `lothub_session=${sessionIn(overEve)}`);

      const secrets = [secretIn(eve), sessionIn(overEve) ?? '', sessionIn(overAda) ?? ''];
      const isIn = [];
      for (const secret of secrets) isIn.push(await on.open.isIn(secret));
      assert.equal(new Set(secrets).size, 3);
      assert.deepEqual(isIn, [false, false, true]);
      assert.ok(await on.open.isIn(secretIn(ada)), 'that of another browser goes on');
    },
  );

  attack('a session that was logged out opens nothing, for whoever kept its cookie', async (on) => {
    const ada = await on.open.newPerson();

    const out = await on.open.send(on.open.entrance.logOut, ada.cookie);

    assert.ok(isDone(out));
    assert.match(out.headers.getSetCookie().join(), /lothub_session=; Max-Age=0;/);
    assert.equal(await on.open.isIn(secretIn(ada)), false);
  });

  attack('a session opens nothing at a service with other people', async (on) => {
    const [ada, bob] = [await on.open.newPerson(), await on.limited.newPerson()];

    const isIn = [await on.limited.isIn(secretIn(ada)), await on.open.isIn(secretIn(bob))];

    assert.deepEqual(isIn, [false, false]);
    assert.ok(await on.open.isIn(secretIn(ada)));
  });

  attack('a session ends at its end, and not a moment before', async (on) => {
    const ada = await on.open.newPerson();
    const setEnd = (at: number) =>
      on.open.served.service.people.store.write([
        sql`update sessions set expires_at = ${at} where account_id = ${ada.accountId}`,
      ]);

    await setEnd(Date.now() + 60_000);
    const before = await on.open.isIn(secretIn(ada));
    await setEnd(Date.now());

    assert.deepEqual([before, await on.open.isIn(secretIn(ada))], [true, false]);
  });
}

function guessingAttacks(attack: Attack): void {
  attack(
    'a wrong password, an unknown e-mail and an account without a password are told alike, and cost the same hash',
    async (on, t) => {
      const [ada, bob] = [await on.open.newPerson(), await on.open.newPerson(null)];
      const nobody = { email: 'usr_nobody@example.com' };
      const derived = t.mock.method(DerivingThread.prototype, 'derive').mock;

      const answers = [];
      for (const { email } of [ada, bob, nobody]) {
        const { status, text, headers } = await on.open.logIn({ email, password: WRONG_PASSWORD });
        const masked = text.replaceAll(email, '').replace(/"request_id":"[^"]*"/, '');
        answers.push([status, masked, [...headers.keys()].sort(), headers.getSetCookie()]);
      }

      const [first, ...others] = answers;
      assert.equal(first?.[0], 401);
      for (const other of others) assert.deepEqual(other, first);
      const asked = derived.calls.map(({ arguments: [one] }) => [
        one.cost,
        one.salt.length,
        one.keyBytes,
      ]);
      assert.deepEqual(asked, Array(3).fill(asked[0]));
    },
  );

  attack(
    'whoever guesses keeps strangers out, and not a browser that was in before',
    async (on) => {
      const ada = await on.limited.newPerson();
      const first = await on.limited.logIn(ada);
      const [, mark = ''] = BROWSER_COOKIE.exec(first.headers.getSetCookie().join('\n')) ?? [];
      const guess = () => on.limited.logIn({ email: ada.email, password: WRONG_PASSWORD });

      // A guess that is being counted may keep another one out: those that follow use up what is left.
      const guesses = await Promise.all([guess(), guess(), guess(), guess()]);
      guesses.push(await guess(), await guess());
      const stranger = await on.limited.logIn(ada);
      const known = await on.limited.logIn(ada, mark);
      const elsewhere = await on.limited.logIn({ email: 'nobody@example.com' }, mark);

      const judged = guesses.filter(({ status }) => status === 401);
      assert.ok(guesses.every(({ status }) => status === 401 || status === 429));
      assert.equal(judged.length, 3);
      assert.equal(stranger.status, 429);
      assert.match(stranger.headers.get('retry-after') ?? '', /^([1-9]|[12]\d|30)$/);
      assert.ok(isDone(known));
      assert.ok(known.headers.getSetCookie().some((cookie) => cookie.startsWith(`${mark};`)));
      // The address has guessed too often, for whatever account; the mark is of another one.
      assert.equal(elsewhere.status, 429);
    },
  );

  attack(
    'whoever has the session of somebody cannot guess the password by changing it',
    async (on) => {
      const ada = await on.limited.newPerson();
      const change = (old: string) => on.limited.changePassword(old, NEW_PASSWORD, ada.cookie);

      const answers = [
        await change('a'),
        await change('b'),
        await change('c'),
        await change(PASSWORD),
      ];

      assert.deepEqual(
        answers.map(({ status }) => status),
        [401, 401, 401, 429],
      );
      const kept = sql`
      select id from accounts where id = ${ada.accountId} and password_hash = ${passwordHash}`;
      assert.equal(await on.limited.count(kept), 1);
    },
  );
}

function passwordAttacks(attack: Attack): void {
  attack(
    'a new password ends all sessions but the one it was set in, and the old one is gone',
    async (on) => {
      const ada = await on.open.newPerson();
      const other = sessionIn(await on.open.logIn(ada)) ?? '';

      const changed = await on.open.changePassword(PASSWORD, NEW_PASSWORD, ada.cookie);

      assert.ok(isDone(changed));
      assert.deepEqual(
        [await on.open.isIn(secretIn(ada)), await on.open.isIn(other)],
        [true, false],
      );
      assert.equal((await on.open.logIn(ada)).status, 401);
      assert.ok(isDone(await on.open.logIn({ ...ada, password: NEW_PASSWORD })));
    },
  );

  attack('of two changes of one password at the same moment, one is made', async (on) => {
    const ada = await on.open.newPerson();

    const answers = await Promise.all(
      [NEW_PASSWORD, 'quince in a quarry'].map((next) =>
        on.open.changePassword(PASSWORD, next, ada.cookie),
      ),
    );

    const [done, [status]] = outcome(answers) as [number, number[]];
    assert.equal(done, 1);
    assert.ok(status === 401 || status === 409, String(status));
  });
}

function invitationAttacks(entrance: Entrance, attack: Attack): void {
  attack(
    'of several who accept one invitation at the same moment, one comes in, and nobody after that',
    async (on) => {
      const { secret, countInside } = await on.open.invite();
      const [ada, bob] = [await on.open.newPerson(), await on.open.newPerson()];
      const asNew = () => on.open.send(entrance.accept(secret, somebody()));
      const as = ({ cookie }: TestPerson) =>
        on.open.send(entrance.accept(secret, undefined), cookie);

      const answers = await Promise.all([as(ada), asNew(), as(bob), asNew()]);
      const later = [await asNew(), await as(await on.open.newPerson())];

      assert.deepEqual(outcome(answers), [1, [410, 410, 410]]);
      assert.deepEqual(outcome(later), [0, [410, 410]]);
      assert.equal(await countInside(), 1);
    },
  );

  attack(
    'of two invitations to one e-mail at the same moment, one makes the account',
    async (on) => {
      const [first, second] = [await on.open.invite(), await on.open.invite()];
      const nia = somebody();

      const answers = await Promise.all([
        on.open.send(entrance.accept(first.secret, nia)),
        on.open.send(entrance.accept(second.secret, { ...nia, email: nia.email.toUpperCase() })),
      ]);

      assert.deepEqual(outcome(answers), [1, [409]]);
      assert.equal(await on.open.count(sql`select id from accounts where email = ${nia.email}`), 1);
      assert.equal((await first.countInside()) + (await second.countInside()), 1);
    },
  );

  attack(
    'an invitation for an e-mail is for no other account, and says only to its own whose it is',
    async (on) => {
      const nia = somebody();
      const { secret, countInside } = await on.open.invite(nia.email.toUpperCase());
      const ada = await on.open.newPerson();

      const refused = [
        await on.open.send(entrance.accept(secret, somebody())),
        await on.open.send(entrance.accept(secret, undefined), ada.cookie),
      ];
      const before = await countInside();
      const right = await on.open.send(entrance.accept(secret, nia));

      assert.deepEqual(outcome(refused), [0, [409, 409]]);
      assert.ok(isDone(right));
      assert.deepEqual([before, await countInside()], [0, 1]);
    },
  );

  attack(
    'whoever comes in by an invitation gets a session of their own, whatever cookie was planted',
    async (on) => {
      const { secret } = await on.open.invite();

      const answer = await on.open.send(
        entrance.accept(secret, somebody()),
        `lothub_session=${PLANTED}`,
      );

      assert.ok(await on.open.isIn(sessionIn(answer) ?? ''));
      assert.equal(await on.open.isIn(PLANTED), false);
    },
  );
}
