// What becomes of each answer that a witness can give, true or not; and that whoever posts notices nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { cosignatureLine, parseCheckpoint } from '@lothub/chain/log';
import { testKey } from '@lothub/chain/test/log/test-keys';
import { anEvent, valueAt, type Booted } from '../boot.ts';
import { answer, type Behaviour } from './test-witness.ts';
import { publishedSize, until, untilPublished, witnessedHub } from './witnessed-hub.ts';

async function readStanding(hub: Booted, name: string): Promise<unknown> {
  const { json } = await hub.call('/health');
  const witnesses = valueAt(json, 'log', 'witnesses');
  assert.ok(Array.isArray(witnesses));
  return witnesses.find((one) => valueAt(one, 'name') === name);
}

async function readAnswer(hub: Booted, name: string): Promise<unknown> {
  return valueAt(await readStanding(hub, name), 'state');
}

/** What is made of its next answer, of a witness that has cosigned a tree of one block. */
async function readNextAnswer(hub: Booted, name: string): Promise<unknown> {
  await until('its next answer', async () => {
    const standing = await readStanding(hub, name);
    return valueAt(standing, 'state') !== 'cosigned' || Number(valueAt(standing, 'size')) > 1;
  });
  return await readAnswer(hub, name);
}

async function alarmCodes({ database }: Booted): Promise<readonly unknown[]> {
  const rows = await database.rows('select code from chain_alarms where cleared_at is null');
  return rows.map(({ code }) => code);
}

function parseHead(body: string): ReturnType<typeof parseCheckpoint> {
  return parseCheckpoint(body.slice(body.indexOf('\n\n') + 2));
}

const SIZE_TYPE = 'text/x.tlog.size';

/** A witness that does so while two others cosign. */
const ODD: readonly {
  readonly what: string;
  readonly state: string;
  readonly behave: (helper: {
    readonly sign: (body: string, secondsOff?: number) => string;
  }) => Behaviour;
}[] = [
  {
    what: 'does not know the log (404)',
    state: 'unknown_log',
    behave: () => (_asked, response) => (answer(response, 404, ''), true),
  },
  {
    what: 'does not know the key (403)',
    state: 'unknown_key',
    behave: () => (_asked, response) => (answer(response, 403, ''), true),
  },
  {
    what: 'is asked too often (429)',
    state: 'busy',
    behave: () => (_asked, response) => (answer(response, 429, ''), true),
  },
  {
    what: 'fails (500)',
    state: 'failing',
    behave: () => (_asked, response) => (answer(response, 500, ''), true),
  },
  {
    what: 'hangs',
    state: 'timed_out',
    behave: () => () => true,
  },
  {
    what: 'breaks the connection',
    state: 'unreachable',
    behave: () => (_asked, response) => (response.destroy(), true),
  },
  {
    what: 'signs something else',
    state: 'invalid',
    behave:
      ({ sign }) =>
      ({ body }, response) => {
        const line = sign(body);
        const encoded = Buffer.from(line.trim().split(' ')[2]!, 'base64');
        encoded[encoded.length - 1]! ^= 1;
        answer(response, 200, line.replace(/[^ ]+\n$/, `${encoded.toString('base64')}\n`));
        return true;
      },
  },
  {
    what: 'has a clock that is an hour slow',
    state: 'invalid',
    behave:
      ({ sign }) =>
      ({ body }, response) => (answer(response, 200, sign(body, -3_600)), true),
  },
  {
    what: 'answers a body without an end',
    state: 'invalid',
    behave: () => (_asked, response) => {
      response.writeHead(200);
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(4_096), () => setImmediate(more));
      };
      more();
      return true;
    },
  },
  {
    what: 'redirects',
    state: 'invalid',
    behave: () => (_asked, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      return true;
    },
  },
  {
    what: 'answers 200 without a line',
    state: 'invalid',
    behave: () => (_asked, response) => (answer(response, 200, ''), true),
  },
  {
    what: 'names another size each time',
    state: 'unsettled',
    behave: () => (_asked, response) => (answer(response, 409, '1\n', SIZE_TYPE), true),
  },
  {
    what: 'answers 409 with something else than a size',
    state: 'invalid',
    behave: () => (_asked, response) => (answer(response, 409, '01\n', SIZE_TYPE), true),
  },
];

/** A witness that fails, one that does not answer, and two whose signatures are not believed. */
const USUAL = /^(?:fails|hangs|signs something|has a clock)/;

for (const { what, state, behave } of ODD) {
  const play = USUAL.test(what) ? test : testInLongRun;
  void play(
    `a witness that ${what} is reported, and changes nothing for those who post`,
    async () => {
      await using setup = await witnessedHub();
      const { hub, witnesses } = setup;
      await untilPublished(hub, 1);
      await until('gamma', async () => (await readAnswer(hub, 'gamma')) === 'cosigned');
      const gamma = witnesses.all[2]!;
      const sign = (body: string, off?: number): string => gamma.cosign(parseHead(body), off);
      gamma.behave = behave({ sign });

      const posted = await hub.post('/v1/events', anEvent());
      await untilPublished(hub, 2);
      const answered = await readNextAnswer(hub, 'gamma');

      const after = await hub.post('/v1/events', anEvent());
      assert.equal(answered, state);
      for (const { status, json } of [posted, after]) {
        assert.equal(status, 201);
        assert.equal(valueAt(json, 'log', 'witnessed'), false);
        assert.equal(valueAt(json, 'chain', 'chain_valid'), true);
      }
      assert.deepEqual(await alarmCodes(hub), []);
    },
  );
}

test('a witness that saw less than is remembered gets the proof from there at once', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await untilPublished(hub, 1);
  const gamma = witnesses.all[2]!;
  await until('gamma', () => gamma.size === 1);
  const first = gamma.seen;
  await hub.post('/v1/events', anEvent());
  await until('gamma', () => gamma.size === 2);
  gamma.seen = first;
  const asked = gamma.asked.length;

  await hub.post('/v1/events', anEvent());
  await until('gamma', () => gamma.size === 3);

  const bodies = gamma.asked.slice(asked).map(({ body }) => body.split('\n', 1)[0]);
  assert.deepEqual(bodies, ['old 2', 'old 1']);
});

test('a witness is asked at most four times in a round', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await untilPublished(hub, 1);
  const gamma = witnesses.all[2]!;
  await until('gamma', () => gamma.size === 1);
  const asked = gamma.asked.length;
  gamma.behave = (_asked, response) => (answer(response, 409, '1\n', SIZE_TYPE), true);

  await hub.post('/v1/events', anEvent());
  await until('unsettled', async () => (await readAnswer(hub, 'gamma')) === 'unsettled');

  assert.equal(gamma.asked.length - asked, 4);
});

test('a witness that has cosigned a larger tree holds the log, and events are stored all the same', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await hub.post('/v1/events', anEvent());
  await untilPublished(hub, 2);
  const gamma = witnesses.all[2]!;
  gamma.behave = ({ method }, response) => {
    if (method === 'GET') answer(response, 404, '');
    else answer(response, 409, '99\n', SIZE_TYPE);
    return true;
  };

  await hub.post('/v1/events', anEvent());
  await until('held', async () => (await hub.call('/health')).text.includes('"state":"held"'));
  const held = await hub.post('/v1/events', anEvent());

  assert.deepEqual(await alarmCodes(hub), ['witness_ahead']);
  assert.equal(held.status, 201);
  assert.equal(valueAt(held.json, 'log'), null);
  assert.equal(valueAt(held.json, 'log_state'), 'held');
});

test('a witness whose own checkpoint is not as large as it says holds nothing', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await untilPublished(hub, 1);
  const gamma = witnesses.all[2]!;
  await until('gamma', async () => (await readAnswer(hub, 'gamma')) === 'cosigned');
  gamma.behave = ({ method }, response) => {
    if (method === 'GET') return false;
    answer(response, 409, '99\n', SIZE_TYPE);
    return true;
  };

  await hub.post('/v1/events', anEvent());
  const answered = await readNextAnswer(hub, 'gamma');

  assert.equal(answered, 'invalid');
  assert.deepEqual(await alarmCodes(hub), []);
  assert.match((await hub.call('/health')).text, /"state":"signing"/);
});

test('a witness that refuses a sound proof is reported by an alarm that holds nothing', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await untilPublished(hub, 1);
  const gamma = witnesses.all[2]!;
  await until('gamma', () => gamma.size === 1);
  gamma.behave = (_asked, response) => (answer(response, 422, ''), true);

  await hub.post('/v1/events', anEvent());
  await until('alarm', async () => (await alarmCodes(hub)).includes('witness_refuses'));
  await untilPublished(hub, 2);
  const after = await hub.post('/v1/events', anEvent());

  assert.deepEqual(await alarmCodes(hub), ['witness_refuses']);
  assert.equal(valueAt(after.json, 'chain', 'chain_valid'), true);
  assert.equal(valueAt(after.json, 'log', 'index'), 2);
  assert.equal(gamma.asked.filter(({ body }) => body.startsWith('old 1\n')).length, 1);
});

test('a witness that has cosigned another root of the same size, a 409 without a size, refuses', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await untilPublished(hub, 1);
  const gamma = witnesses.all[2]!;
  await until('gamma', async () => (await readAnswer(hub, 'gamma')) === 'cosigned');
  gamma.behave = ({ body }, response) => {
    const size = parseHead(body).size;
    if (body.startsWith(`old ${size}\n`)) answer(response, 409, '');
    else answer(response, 409, `${size}\n`, SIZE_TYPE);
    return true;
  };

  await hub.post('/v1/events', anEvent());
  await until('gamma', async () => (await readAnswer(hub, 'gamma')) !== 'cosigned');

  assert.equal(await readAnswer(hub, 'gamma'), 'refuses');
  assert.deepEqual(await alarmCodes(hub), ['witness_refuses']);
});

test('a witness that refuses a proof of a tree that is not the signed one is not blamed for it', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  await hub.post('/v1/events', anEvent());
  await untilPublished(hub, 2);
  const gamma = witnesses.all[2]!;
  await until('gamma', () => gamma.size === 2);
  gamma.behave = async (_asked, response) => {
    // While the witness looks at the proof, what is stored becomes another tree.
    await hub.database.change(`update blocks set hash = '${'0'.repeat(64)}' where height = 1`);
    answer(response, 422, '');
    return true;
  };

  await hub.post('/v1/events', anEvent());
  await until('alarm', async () => (await alarmCodes(hub)).includes('tile_differs'));

  await until('its answer', async () => (await readAnswer(hub, 'gamma')) === 'refuses');

  assert.ok(!(await alarmCodes(hub)).includes('witness_refuses'));
});

test('lines of keys that the policy does not name are left out of what is published', async () => {
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  const gamma = witnesses.all[2]!;
  const other = testKey(200);
  gamma.behave = ({ method, body }, response) => {
    if (method !== 'POST' || !body.startsWith('old 1\n')) return false;
    const stranger = cosignatureLine({
      name: 'stranger.example.org/1',
      publicKey: other.publicKey,
      time: 1,
      signature: other.sign(new Uint8Array(1)),
    });
    answer(response, 200, stranger + gamma.cosign(parseHead(body)));
    return true;
  };
  await untilPublished(hub, 1);
  await until('gamma', () => gamma.size === 1);

  await hub.post('/v1/events', anEvent());
  await until('gamma', async () => {
    const { text } = await hub.call('/log/1/checkpoint');
    return parseCheckpoint(text).signatures.length === 4 && (await publishedSize(hub)) === 2;
  });

  const { text } = await hub.call('/log/1/checkpoint');
  assert.ok(text.includes('gamma.example.org/1'));
  assert.ok(!text.includes('stranger'));
});
