// The state of the hub: what an operator has to do with its command, what brands record, and nothing of what they
// keep to themselves.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot } from '../../boot.ts';
import { makeBusyBrand } from '../today/busy-brand.ts';
import { newVisitor, readWords } from '../visitors.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const SECRET = 'a reason that nobody else may read';
await makeBusyBrand(booted, { brand: 'bakery', text: SECRET });
const olga = await newVisitor(booted, { isOperator: true });
const STATE = '/console/hub/state';

test('the state says how much each brand records, how far all is, and nothing private of a brand', async () => {
  await booted.service.verifier.nextRound();

  const page = await olga.get(STATE);

  const words = readWords(page);
  assert.match(words, /bakery 5 \d+ \w+ \d{4}.* 5 bakery-mill 1/);
  assert.match(words, /Height 11 Blocks in 24 hours 12 Checked through 11/);
  assert.match(words, /A round takes \d+ s /);
  assert.match(words, /Every block is signed in the public log Origin \S+ Signed blocks/);
  assert.match(words, /No policy is set/);
  assert.match(words, /No service is set/);
  for (const text of [SECRET, 'C-1', 'BREAD', 'The Mill', 'RC-20'])
    assert.ok(!words.includes(text));
});

test('keys that were refused are there with who sent them, and never the key', async () => {
  const key = 'no-such-key-0123456789';
  await booted.call('/v1/lots', { headers: { 'X-Api-Key': key } });

  const page = await olga.get(STATE);

  assert.match(readWords(page), /127\.0\.0\.1 \/v1 unknown 1 unknown key/);
  assert.ok(!page.text.includes(key));
});

test('an alarm has its sentence and its command, in the reader’s language, until it is cleared', async () => {
  const calm = await olga.get(STATE);
  booted.service.state.report({
    height: 3,
    code: 'line_row_differs',
    message: 'the row of <line> 1 differs',
  });
  booted.service.state.report({ height: 4, code: 'tail_missing', message: 'cut off' });
  const alarmed = await olga.get(STATE);
  const german = readWords(await olga.get(`${STATE}?lang=de`));

  // Both brands of these tests write with the key of the settings.
  assert.match(readWords(calm), /Needs somebody now Several brands write with one key/);
  assert.match(readWords(calm), /lothub keys accept \S+ .*bakery-mill, bakery/);
  assert.match(readWords(alarmed), /Block 3: line_row_differs .*lothub rebuild && lothub verify/);
  assert.match(readWords(alarmed), /Block 4: tail_missing .*lothub verify --accept-tip/);
  assert.match(alarmed.text, /the row of &lt;line&gt; 1 differs/);
  assert.match(german, /Die Blöcke sind in Ordnung: Stellen Sie die Zeilen aus ihnen neu her/);
});

test('a clock that is not believed is an alarm with the command that accepts it', async () => {
  await booted.database.change(
    "insert into clock_alarms (machine, code, reading_ms, message, found_at) values ('mill-2', 'clock_jumped', 1, 'the clock jumped', '2026-03-02T06:15:00.000Z')",
  );

  const words = readWords(await olga.get(STATE));

  assert.match(words, /A clock is not believed.* lothub clock accept mill-2: the clock jumped/);
});

test('brands come page by page, and whoever does not operate the hub sees none of it', async () => {
  const ada = await newVisitor(booted, { brands: { bakery: 'manager' } });

  const behind = await olga.get(`${STATE}?after=bakery`);

  assert.doesNotMatch(readWords(behind), /bakery 5/);
  assert.match(readWords(behind), /bakery-mill/);
  assert.equal((await ada.get(STATE)).status, 403);
});
