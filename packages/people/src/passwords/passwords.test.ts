// Hashes of passwords: the format, the comparison, and how many are made at a time.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { test } from 'node:test';
import { PeopleProblem } from '../errors.ts';
import { PASSWORD_COST, Passwords } from './passwords.ts';

/** So cheap that a hundred take no time; the format and the rules are the same. */
const CHEAP = { memoryKib: 8, passes: 1, lanes: 1 };
const PASSWORD = 'crème brûlée für alle';
/** Two run and a hundred wait. */
const ACCEPTED_MAX = 102;

test('a password is kept as argon2id of 19,456 KiB, two passes and one lane', async () => {
  const stored = await new Passwords().hash(PASSWORD);

  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.deepEqual(PASSWORD_COST, { memoryKib: 19_456, passes: 2, lanes: 1 });
});

test('a hash that another program has made is understood', async () => {
  // The reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 256 -p 1 -l 32 -e
  // (test.c of phc-winner-argon2, version 0x13).
  const stored =
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

  const verdict = await new Passwords({ cost: CHEAP }).verify('password', stored);

  assert.deepEqual(verdict, { isRight: true, isOutdated: true });
});

test('the right password is right, also typed with other code points, and another is not', async () => {
  const passwords = new Passwords({ cost: CHEAP });
  const stored = await passwords.hash(PASSWORD);

  const verdicts = await Promise.all(
    [PASSWORD, PASSWORD.normalize('NFD'), PASSWORD.toUpperCase(), ''].map(
      async (password) => (await passwords.verify(password, stored)).isRight,
    ),
  );

  assert.deepEqual(verdicts, [true, true, false, false]);
});

test('two hashes of one password have different salts', async () => {
  const passwords = new Passwords({ cost: CHEAP });

  const [first, second] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];

  assert.notEqual(first, second);
});

test('a hash of another cost is outdated when the password is right, and not otherwise', async () => {
  const stored = await new Passwords({ cost: CHEAP }).hash(PASSWORD);
  const passwords = new Passwords({ cost: { ...CHEAP, passes: 2 } });

  const right = await passwords.verify(PASSWORD, stored);
  const wrong = await passwords.verify('something else', stored);

  assert.deepEqual(right, { isRight: true, isOutdated: true });
  assert.deepEqual(wrong, { isRight: false, isOutdated: false });
});

test('no stored hash is never right', async () => {
  const verdict = await new Passwords({ cost: CHEAP }).verify(PASSWORD, undefined);

  assert.deepEqual(verdict, { isRight: false, isOutdated: false });
});

test('something else than a hash in its place is a defect, and not a wrong password', async () => {
  const passwords = new Passwords({ cost: CHEAP });

  await assert.rejects(passwords.verify(PASSWORD, 'plain text'), /not in the PHC string format/);
});

test('two run and 100 wait; whoever comes then is asked to come again', async () => {
  const passwords = new Passwords({ cost: CHEAP, processors: 4 });

  const settled = await Promise.allSettled(
    Array.from({ length: ACCEPTED_MAX + 1 }, () => passwords.hash(PASSWORD)),
  );

  const refused = settled.flatMap((one) =>
    one.status === 'rejected' && one.reason instanceof PeopleProblem ? [one.reason] : [],
  );
  assert.deepEqual(
    refused.map(({ code, headers }) => [code, headers]),
    [['unavailable', { 'Retry-After': '2' }]],
  );
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, ACCEPTED_MAX);
});

for (const processors of [1, 2]) {
  test(`on a machine with ${processors} of them only one takes a processor`, async () => {
    const passwords = new Passwords({ cost: CHEAP, processors });

    const settled = await Promise.allSettled(
      Array.from({ length: ACCEPTED_MAX }, () => passwords.hash(PASSWORD)),
    );

    assert.equal(settled.filter(({ status }) => status === 'rejected').length, 1);
  });
}

test('after a crowd has gone, passwords are checked as before', async () => {
  const passwords = new Passwords({ cost: CHEAP, processors: 4 });
  await Promise.allSettled(Array.from({ length: 150 }, () => passwords.hash(PASSWORD)));

  const settled = await Promise.allSettled(
    Array.from({ length: ACCEPTED_MAX }, () => passwords.hash(PASSWORD)),
  );

  assert.ok(settled.every(({ status }) => status === 'fulfilled'));
});

// Only Linux has a priority for each thread.
if (process.platform === 'linux') {
  test('passwords are checked below the priority of the rest of the process', async () => {
    await new Passwords({ cost: CHEAP }).hash(PASSWORD);

    const niceness = readdirSync('/proc/self/task').map(readNiceness);
    const own = readNiceness(String(process.pid));
    assert.ok(own < constants.priority.PRIORITY_BELOW_NORMAL, `the main thread has ${own}`);
    assert.ok(niceness.includes(constants.priority.PRIORITY_BELOW_NORMAL), niceness.join());
  });
}

/** As `nice` counts it: more is less urgent. */
function readNiceness(task: string): number {
  const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
  // Behind the name, which is in brackets, it is the 17th field.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}
