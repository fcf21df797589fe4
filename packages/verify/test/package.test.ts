// The verifier as it is published: plain modules in an empty folder and in a browser, and one page that
// works from a disk with the network off.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import { plainChain } from '@lothub/chain/test/vectors/chain-maker';
import { epochListText, formatVkey } from '@lothub/chain/log';
import { epochNote, NEXT_KEY, NEXT_ORIGIN } from '@lothub/chain/test/vectors/log-epochs';
import { ORIGIN, POLICY, POLICY_OF_NOBODY, TestLog } from '@lothub/chain/test/log/evidence-maker';
import { testKey } from '@lothub/chain/test/log/test-keys';
import type { Browser, Page } from 'playwright-core';

import { writePackage } from '../pack/write-package.ts';
import { flatten } from '@lothub/kit/http/modules/flatten';
import { verifierPage } from '../pack/verifier-page.ts';

/** What a lot of 100 blocks may take in a browser. */
const BLOCKS = 100;
const TIME_MAX_MS = 500;
/** The machine does other things too; the best of these counts. */
const RUNS = 5;

const folder = mkdtempSync(join(tmpdir(), 'lothub-verify-package-'));
const installed = join(folder, 'node_modules', '@lothub', 'verify');
const log = new TestLog(plainChain(1_000));
const EVIDENCE = log.evidenceText(Array.from({ length: BLOCKS }, (_, index) => index * 10));
/** A log that ended, and the one behind it, which shares 7 of its 9 entries. */
const old = new TestLog(plainChain(9), []);
const next = new TestLog(plainChain(12).slice(0, 7), [], NEXT_KEY, NEXT_ORIGIN);
const EPOCHS = epochListText([{ epoch: 2, note: epochNote() }]);
const WITNESSED = 'proved, witnessed 3 of 3 at 2026-01-03T00:28:20Z';

let browser: Browser;

before(async () => {
  writePackage(installed);
  browser = await launchBrowser();
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

test('the package verifies in Node, from a folder with nothing else in it', async () => {
  writeFileSync(join(folder, 'evidence.json'), EVIDENCE);
  writeFileSync(join(folder, 'policy'), POLICY);
  writeFileSync(
    join(folder, 'verify.mjs'),
    `import { readFileSync } from 'node:fs';
     import { verifyEvidence } from '@lothub/verify';
     const file = readFileSync('evidence.json');
     const { sentence } = await verifyEvidence({ file, policy: readFileSync('policy', 'utf8') });
     console.log(sentence);`,
  );

  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['verify.mjs'], {
    cwd: folder,
  });

  assert.equal(stdout, `${WITNESSED}\n`);
  assert.equal(stderr, '');
});

test('the package depends on nothing and names its types', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

  assert.partialDeepStrictEqual(manifest, {
    name: '@lothub/verify',
    type: 'module',
    exports: { '.': { types: './verify/index.d.ts', default: './verify/index.js' } },
  });
  assert.equal(Object.hasOwn(manifest as object, 'dependencies'), false);
  const types = readFileSync(join(installed, 'verify/blocks.d.ts'), 'utf8');
  assert.match(types, /from '\.\.\/chain\/log\/index\.js'/);
  assert.doesNotMatch(types, /\.ts'/);
});

test('the package verifies in a browser, from plain modules', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route('https://package.test/**', async (route) => {
    const path = new URL(route.request().url()).pathname;
    await (path === '/'
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>package</title>' })
      : route.fulfill({ contentType: 'text/javascript', path: join(installed, path) }));
  });
  await page.goto('https://package.test/');

  const sentence: unknown = await page.evaluate(
    `import('/verify/index.js').then(({ verifyEvidence }) =>
       verifyEvidence(${JSON.stringify({ file: EVIDENCE, policy: POLICY })}))
       .then(({ sentence }) => sentence)`,
  );

  assert.equal(sentence, WITNESSED);
  await context.close();
});

suite('verifier.html from a disk with the network off', () => {
  const requests: string[] = [];
  let page: Page;

  before(async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 800 } });
    await context.setOffline(true);
    page = await context.newPage();
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => requests.push(`error: ${error.message}`));
    page.on('console', (message) => requests.push(`console: ${message.text()}`));
    await page.goto(pathToFileURL(join(installed, 'verifier.html')).href);
  });

  /** What the page answers to a file: its heading and its steps. */
  async function answerTo(
    file: string,
    by: { readonly policy: string; readonly subject?: string; readonly epochs?: string },
  ) {
    const name = file.startsWith('c2sp') ? 'block.tlog-proof' : 'lot.lothub-evidence.json';
    await page
      .locator('#file')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(file) });
    await page.locator('#chosen', { hasText: name }).waitFor();
    await page.locator('#policy').fill(by.policy);
    await page.locator('#epochs').fill(by.epochs ?? '');
    if (by.subject !== undefined) await page.locator('#subject').fill(by.subject);
    await page.evaluate(`document.getElementById('result').hidden = true`);
    await page.locator('button').click();
    await page.locator('#result:not([hidden])').waitFor();
    return {
      heading: await page.locator('#result h2').innerText(),
      steps: await page.locator('#result li').allInnerTexts(),
    };
  }

  test('proves a good file and shows each step', async () => {
    const answer = await answerTo(EVIDENCE, { policy: POLICY });

    assert.equal(answer.heading, `P${WITNESSED.slice(1)}`);
    assert.equal(answer.steps.length, 5);
    assert.ok(answer.steps.every((step) => step.startsWith('✓')));
  });

  test('says of the operator alone what it is worth', async () => {
    const answer = await answerTo(EVIDENCE, { policy: POLICY_OF_NOBODY });

    assert.equal(answer.heading, "Proved, operator's word only");
  });

  test('takes the key of the log alone for a policy', async () => {
    const [vkey = ''] = POLICY_OF_NOBODY.replace('log ', '').split('\n', 1);

    const answer = await answerTo(EVIDENCE, { policy: vkey });

    assert.equal(answer.heading, "Proved, operator's word only");
  });

  test('refuses a changed file and shows the step that failed', async () => {
    const changed = EVIDENCE.replace('250.5', '250.6');

    const answer = await answerTo(changed, { policy: POLICY });

    assert.equal(answer.heading, 'Refused: not_in_tree');
    assert.match(answer.steps.at(-1) ?? '', /^✗/);
  });

  test('asks for a key, and believes none out of the file', async () => {
    const answer = await answerTo(EVIDENCE, { policy: ' ' });

    assert.match(answer.heading, /^Say whom you believe/);
    assert.deepEqual(answer.steps, []);
  });

  test('says what is wrong with a policy', async () => {
    const answer = await answerTo(EVIDENCE, { policy: 'quorum all' });

    assert.equal(answer.heading, 'Nothing was verified.');
    assert.match(await page.locator('#result p').innerText(), /Line 1 of the policy/);
  });

  test('proves a block by the text that is given', async () => {
    const { canonical } = log.block(7);

    const answer = await answerTo(log.proofText(7), { policy: POLICY, subject: canonical });

    assert.equal(answer.heading, `P${WITNESSED.slice(1)}`);
  });

  test('follows a log that has ended by what the hub answers at /log/epochs', async () => {
    const { canonical } = next.block(1);
    const proof = { policy: POLICY_OF_NOBODY, subject: canonical };

    const unknown = await answerTo(next.proofText(1), proof);
    const followed = await answerTo(next.proofText(1), { ...proof, epochs: EPOCHS });
    const witnessed = await answerTo(next.proofText(1), {
      ...proof,
      policy: POLICY,
      epochs: EPOCHS,
    });

    assert.equal(unknown.heading, 'Refused: unknown_log');
    assert.equal(followed.heading, "Proved, operator's word only");
    assert.ok(followed.steps.some((step) => step.includes(`goes on as ${NEXT_ORIGIN}`)));
    // The witnesses are those of the reader, whatever the statement says.
    assert.equal(witnessed.heading, 'Refused: no_quorum');
  });

  test('says of a file of an ended log what of it is lost', async () => {
    const kept = old.evidenceText([0, 3]);
    const gone = old.evidenceText([0, 8]);

    const answers = [];
    for (const file of [kept, gone]) {
      const { heading } = await answerTo(file, { policy: POLICY_OF_NOBODY, epochs: EPOCHS });
      answers.push([heading, (await page.locator('#result p').allInnerTexts()).join(' ')] as const);
    }

    assert.deepEqual(
      answers.map(([heading]) => heading),
      ["Proved, operator's word only", "Proved, operator's word only"],
    );
    assert.doesNotMatch(answers[0]![1], /are lost/);
    assert.match(answers[1]![1], /its entries from number 7 on are lost/);
  });

  test('takes the list of statements from a file, with the line ends of any editor', async () => {
    const buffer = Buffer.from(`\r\n${EPOCHS.replaceAll('\n', '\r\n')}\r\n`);
    const picked = { name: 'epochs.txt', mimeType: 'text/plain', buffer };
    await answerTo(next.evidenceText([1]), { policy: POLICY_OF_NOBODY });
    await page.locator('#epochs-file').setInputFiles(picked);
    // The field is filled as soon as the file is read.
    while ((await page.locator('#epochs').inputValue()) === '') await page.evaluate('0');
    await page.evaluate(`document.getElementById('result').hidden = true`);

    await page.locator('button').click();
    await page.locator('#result:not([hidden])').waitFor();

    const heading = await page.locator('#result h2').innerText();
    assert.equal(heading, "Proved, operator's word only");
  });

  test('believes no changed statement, and says of what is none what is wrong', async () => {
    const file = next.evidenceText([1]);
    const changed = EPOCHS.replace('reason restore', 'reason renamed');

    const forged = await answerTo(file, { policy: POLICY_OF_NOBODY, epochs: changed });
    const none = await answerTo(file, { policy: POLICY_OF_NOBODY, epochs: 'nothing' });

    assert.equal(forged.heading, 'Refused: bad_signature');
    assert.equal(none.heading, 'Nothing was verified.');
  });

  test('takes both keys of a name, of which one replaces the other', async () => {
    const replaced = new TestLog(plainChain(9), [], testKey(0x33));
    const [vkey = ''] = POLICY_OF_NOBODY.replace('log ', '').split('\n', 1);
    const policy = `${formatVkey(ORIGIN, testKey(0x33).publicKey)}\n${vkey}\n`;

    const answer = await answerTo(replaced.evidenceText([1]), { policy });

    assert.equal(answer.heading, "Proved, operator's word only");
  });

  test(`takes at most ${TIME_MAX_MS} ms for ${BLOCKS} blocks`, async (t) => {
    const times: number[] = [];

    for (let run = 0; run < RUNS; run += 1) {
      await answerTo(EVIDENCE, { policy: POLICY });
      const time: unknown = await page.evaluate(`new Promise((resolve) => {
        const result = document.getElementById('result');
        const started = performance.now();
        new MutationObserver(() => resolve(performance.now() - started))
          .observe(result, { childList: true });
        document.querySelector('button').click();
      })`);
      times.push(Number(time));
    }

    t.diagnostic(`${times.map((time) => time.toFixed(0)).join(', ')} ms`);
    assert.ok(Math.min(...times) <= TIME_MAX_MS, times.join(', '));
  });

  test('is readable by everybody, on a narrow screen too', async () => {
    assert.deepEqual(await findOverflow(page), []);
    assert.deepEqual(await findViolations(page), []);
  });

  test('loads nothing but itself and logs nothing', () => {
    assert.equal(requests.length, 1, requests.join('\n'));
  });
});

test('the page allows its own script and style by their hashes, and no connection', () => {
  const { html, policy } = verifierPage();

  assert.match(policy, /script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; connect-src 'none'/);
  assert.ok(html.includes(policy.split('; frame-ancestors')[0] ?? '-'));
  assert.doesNotMatch(html, /https?:\/\//);
});

test('a module that cannot be flattened is refused by name', () => {
  for (const javascript of [
    "import * as all from 'a.js';",
    "import 'a.js';",
    'export default 1;',
    'const a = 1;\nexport { a };',
  ]) {
    const module = { file: 'file:///b.ts', path: 'b.js', javascript };

    assert.throws(() => flatten([module]), /b\.js has ".*", which cannot be flattened/);
  }
});
