// What pages say of the public log, and "Check in this browser" in a real one.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { testKey, witnessVkey } from '@lothub/chain/test/log/test-keys';
import type { Browser } from 'playwright-core';
import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import { aLine, anEvent, boot, type Booted } from '../boot.ts';
import { testFolder } from '../cli/run.ts';
import { publishWitnessed } from '../log/published.ts';

const ENTRY = 'Entry 2 of this hub’s public log.';
const SIGNED = 'Signed by the operator only; nobody else has confirmed it yet.';

let browser: Browser;
let hub: Booted;

before(async () => {
  [browser, hub] = await Promise.all([launchBrowser(), boot()]);
  await hub.post('/v1/events', anEvent());
  await hub.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'FLOUR-2' })] }));
});

after(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

async function readText(on: Booted, path: string): Promise<string> {
  const { status, text } = await on.call(path);
  assert.equal(status, 200, path);
  return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

for (const path of ['/lot/FLOUR-2', '/explorer/block/2', '/explorer']) {
  test(`${path} says who has signed its entry`, async () => {
    const text = await readText(hub, path);

    assert.ok(text.includes(ENTRY));
    assert.ok(text.includes(SIGNED));
  });

  const play = path === '/lot/FLOUR-2' ? test : testInLongRun;
  void play(
    `${path} is checked in the browser, step by step, and asks this hub alone`,
    async () => {
      const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(hub.base + path);

      await page.getByRole('button', { name: 'Check in this browser' }).click();
      await page.getByRole('heading', { name: 'Checked in this browser' }).waitFor();

      const shown = await page.locator('#check-here').innerText();
      assert.match(shown, /Proved, on the word of the operator alone: nobody else has signed\./);
      assert.match(shown, /Good\. .*leads to the signed root/);
      assert.ok(asked.every((url) => url.startsWith(hub.base)));
      assert.deepEqual(complaints, []);
      assert.deepEqual(await findViolations(page), []);
      assert.deepEqual(await findOverflow(page), []);
      await page.close();
    },
  );
}

test('a text that was changed on its way is refused in the browser', async () => {
  const page = await browser.newPage();
  await page.route('**/canonical.txt', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ body: (await answer.text()).replace('BAKERY-1', 'BAKERY-9') });
  });
  await page.goto(`${hub.base}/explorer/block/2`);

  await page.getByRole('button', { name: 'Check in this browser' }).click();
  await page.getByRole('heading', { name: 'Checked in this browser' }).waitFor();

  assert.match(await page.locator('#check-here').innerText(), /Refused:/);
  await page.close();
});

test('what cannot be fetched is said in plain words', async () => {
  const page = await browser.newPage();
  await page.goto(`${hub.base}/explorer/block/2`);
  await page.route('**/log/1/**', async (route) => await route.fulfill({ status: 503 }));

  await page.getByRole('button', { name: 'Check in this browser' }).click();

  const place = page.locator('#check-here', { hasText: 'Nothing was checked' });
  await place.waitFor();
  assert.match(await place.innerText(), /the hub answered 503 for \/log\/1\/vkeys/);
  await page.close();
});

test('a page of a hub without a log says so and has no script', async () => {
  await using without = await boot({ env: { LOG: 'off' } });
  await without.post('/v1/events', anEvent());

  for (const path of ['/lot/FLOUR-1', '/explorer/block/1', '/explorer']) {
    const text = await readText(without, path);
    assert.ok(text.includes('This hub keeps no public log.'));
    assert.ok(!text.includes('Signed by'));
  }
});

test('a page of a hub whose log is held says in red that it cannot be confirmed', async () => {
  await using held = await boot();
  await held.post('/v1/events', anEvent());
  await held.database.change(`
    insert into chain_alarms (height, code, message, found_at)
    values (1, 'log_forked', 'test', '2026-03-02T07:15:00Z')`);
  let answer = await held.post('/v1/events', anEvent());
  while (answer.json['log'] !== null) answer = await held.post('/v1/events', anEvent());

  for (const path of ['/lot/FLOUR-1', '/explorer/block/1', '/explorer']) {
    const { text } = await held.call(path);
    assert.match(
      text,
      /<p class="verdict bad">\s*<svg[^]*?<\/svg> The operator’s log cannot be confirmed at\s+present\./,
    );
    assert.doesNotMatch(text, /Signed by the operator/);
  }
});

const PAGES = ['/lot/FLOUR-1', '/explorer/block/1', '/explorer'];
const SEEN_AT = 1_772_435_700;
const AUTHORITY = { name: 'witness.example.org/1', key: testKey(32), time: SEEN_AT };
const SECOND = { name: 'witness.example.net/1', key: testKey(64), time: SEEN_AT + 3_600 };
const THIRD = { name: 'witness.example.edu/1', key: testKey(96), time: SEEN_AT };
const OWN = { name: 'watch.example.com/1', key: testKey(128), time: SEEN_AT };

/** A hub that asks for two of three witnesses, and one of its own domain, and has one event. */
async function bootWitnessed(folder: { file(name: string): string }): Promise<Booted> {
  const policy = folder.file('witnesses.txt');
  await writeFile(
    policy,
    [
      '# run by: Example Authority',
      `witness authority ${witnessVkey(AUTHORITY)}`,
      `witness second ${witnessVkey(SECOND)}`,
      `witness third ${witnessVkey(THIRD)}`,
      '# run by: Example Bakery',
      `witness own ${witnessVkey(OWN)}`,
      'group two 2 authority second third own',
      'quorum two',
    ].join('\n'),
  );
  const env = { WITNESS_POLICY_FILE: policy, LOG_ORIGIN: 'trace.example.com/log/1' };
  const witnessed = await boot({ env });
  await witnessed.post('/v1/events', anEvent());
  return witnessed;
}

test('pages say how many independent witnesses have seen an entry, when, and who runs them', async () => {
  await using folder = await testFolder();
  await using witnessed = await bootWitnessed(folder);
  await publishWitnessed(witnessed, [AUTHORITY, SECOND, OWN]);

  for (const path of PAGES) {
    const text = await readText(witnessed, path);
    assert.ok(
      text.includes(
        'Seen by 2 of 3 independent witnesses (authority, second) on 2 March 2026 at 08:15 UTC .',
      ),
      text,
    );
    assert.ok(text.includes('authority: run by Example Authority.'));
    assert.ok(text.includes('second: this hub does not say who runs it.'));
    assert.match(
      text,
      /own: run by Example Bakery\. It is under this hub’s own domain and counts as none\./,
    );
    assert.ok(!text.includes('nobody else has confirmed'));
  }
});

test('a witness of the hub’s own domain makes no quorum and no green tick', async () => {
  await using folder = await testFolder();
  await using witnessed = await bootWitnessed(folder);
  await publishWitnessed(witnessed, [AUTHORITY, OWN]);

  for (const path of PAGES) {
    const section = await readText(witnessed, path);
    assert.match(section, /Seen by 1 of 3 independent witnesses \(authority\)/);
    assert.match(section, /These are fewer than this hub asks for\./);
    const { text } = await witnessed.call(path);
    assert.doesNotMatch(text, /verdict good[^]{0,400}Seen by/);
  }
});

test('a witness may state any time, and the pages are shown', async () => {
  await using folder = await testFolder();
  await using witnessed = await bootWitnessed(folder);
  await publishWitnessed(witnessed, [AUTHORITY, { ...SECOND, time: Number.MAX_SAFE_INTEGER }]);

  const text = await readText(witnessed, '/explorer/block/1');

  assert.match(text, /Seen by 2 of 3 .* on 31 December 9999 at 23:59 UTC/);
});

test('an entry above the published checkpoint is the operator’s word, and the page says what is seen', async () => {
  await using folder = await testFolder();
  await using witnessed = await bootWitnessed(folder);
  await publishWitnessed(witnessed, [AUTHORITY, SECOND]);
  await witnessed.post('/v1/events', anEvent());

  const text = await readText(witnessed, '/explorer/block/2');

  assert.ok(text.includes(ENTRY));
  assert.ok(text.includes(SIGNED));
  assert.match(text, /The first 2 blocks: Seen by 2 of 3 independent witnesses/);
  const older = await readText(witnessed, '/explorer/block/1');
  assert.match(older, /Seen by 2 of 3/);
});

for (const path of PAGES) {
  const play = path === '/explorer' ? test : testInLongRun;
  void play(
    `${path} of a witnessed entry is checked in the browser with its cosignatures`,
    async () => {
      await using folder = await testFolder();
      await using witnessed = await bootWitnessed(folder);
      await publishWitnessed(witnessed, [AUTHORITY, SECOND, OWN]);
      const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
      await page.goto(witnessed.base + path);

      await page.getByRole('button', { name: 'Check in this browser' }).click();
      await page.getByRole('heading', { name: 'Checked in this browser' }).waitFor();

      const shown = await page.locator('#check-here').innerText();
      assert.match(
        shown,
        /Proved, and seen by 2 of 3 independent witnesses: it existed on 2 March 2026 at 08:15 UTC/,
      );
      assert.match(shown, /Good\. Each of these witnesses keeps the newest tree/);
      assert.deepEqual(await findViolations(page), []);
      assert.deepEqual(await findOverflow(page), []);
      await page.close();
    },
  );
}
