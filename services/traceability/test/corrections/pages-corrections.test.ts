// Corrections and holds on the pages for people: in plain words, linked both ways, escaped.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot } from '../boot.ts';
import { change, corrected, record, send } from './correction-requests.ts';

const HOSTILE = `"><img src=x onerror=alert('1')>&amp;</title><script>alert(2)</script>`;

/** Heights 1 to 9: three events of the bakery, their corrections, and a lot that is all withdrawn. */
const hub = await openForFile(boot());
before(async () => {
  const bread = { lot_code: 'BREAD-1', product_sku: 'RYE', direction: 'out' };
  const received = await record(hub, { notes: 'dry' }, 'bakery');
  await record(hub, { event_type: 'PRODUCE', lines: [aLine(), aLine(bread)] }, 'bakery');
  const sold = await record(
    hub,
    {
      event_type: 'SELL',
      occurred_at: '2026-03-04T09:00:00Z',
      notes: 'till note',
      lines: [aLine({ ...bread, channel: 'Webshop Nord', customer_ref: 'CUST-1' })],
    },
    'bakery',
  );
  await corrected(
    hub,
    received,
    change('location', 'BAKERY-1', 'BAKERY-2'),
    change('occurred_at', '2026-03-02T06:15:00Z', '2026-03-02T06:15:30Z'),
    change('lines[0].quantity', 250.5, 240),
    change('lines[0].supplier_name', null, HOSTILE),
  );
  await corrected(
    hub,
    sold,
    change('lines[0].channel', 'Webshop Nord', 'Supermarket Kranz'),
    change('lines[0].customer_ref', 'CUST-1', 'CUST-2'),
    change('notes', 'till note', null),
  );
  const gone = await record(hub, { lines: [aLine({ lot_code: 'GONE-1' })] }, 'bakery');
  await corrected(hub, gone, change('lines[0].lot_code', 'GONE-1', 'KEPT-1'));
  await corrected(hub, gone, change('status', 'accepted', 'voided'));
  const hostile = await send(hub, 'bakery', {
    corrects_event_id: received.eventId,
    reason: HOSTILE,
    requested_by: 'Jane Miller',
    changes: [change('notes', 'dry', HOSTILE)],
  });
  assert.equal(hostile.status, 201, hostile.text);
});

async function page(path: string): Promise<string> {
  const answer = await hub.call(path);
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.text;
}

/** Text of a page as a reader sees it, with single spaces. */
function toPlainText(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const blockLinks = (markup: string): readonly string[] =>
  [...markup.matchAll(/href="(\/explorer\/block\/\d+)"/g)].map(([, link = '']) => link);

test('a corrected block says so and leads to every block that corrects it', async () => {
  const markup = await page('/explorer/block/1');

  assert.match(
    toPlainText(markup),
    /Corrected later The brand says that something here was wrong\./,
  );
  assert.match(
    toPlainText(markup),
    /The blocks that correct it say what was wrong: Block 4 [0-9a-f]{8} .* place BAKERY-1 BAKERY-2 .* Block 9 [0-9a-f]{8} /,
  );
  assert.ok(blockLinks(markup).includes('/explorer/block/4'));
  assert.ok(blockLinks(markup).includes('/explorer/block/9'));
});

test('a correction leads back to what it corrects and says in words what was wrong', async () => {
  const markup = await page('/explorer/block/4');
  const text = toPlainText(markup);

  assert.ok(blockLinks(markup).includes('/explorer/block/1'));
  assert.match(
    text,
    /Corrects an earlier block The brand recorded this to say what was wrong in Block 1/,
  );
  assert.match(text, /Reason typing error at the dock/);
  assert.match(text, /What was wrong What Before From then on/);
  assert.match(text, /place BAKERY-1 BAKERY-2/);
  assert.match(text, /when it happened 2026-03-02 06:15:00 UTC 2026-03-02 06:15:30 UTC/);
  assert.match(text, /quantity, line 1: FLOUR-1 250\.5 240/);
  assert.match(text, /supplier, line 1: FLOUR-1 nothing &quot;&gt;&lt;img/);
});

test('a block that was not corrected says nothing of corrections', async () => {
  assert.doesNotMatch(
    toPlainText(await page('/explorer/block/2')),
    /Corrected later|Corrects an earlier/,
  );
});

test('of a private change the page says which field, never a value; of a channel its class', async () => {
  const markup = await page('/explorer/block/5');
  const text = toPlainText(markup);

  assert.match(text, /sales channel, line 1: BREAD-1 online shops shops/);
  assert.match(text, /customer, line 1: BREAD-1 not public not public/);
  assert.match(text, /notes not public not public/);
  assert.doesNotMatch(markup, /CUST-|Nord|Kranz|till note|Jane Miller/);
});

test('a voided event says that it did not happen, on its block and on the correction', async () => {
  assert.match(
    toPlainText(await page('/explorer/block/6')),
    /The brand says that this did not happen/,
  );
  assert.match(
    toPlainText(await page('/explorer/block/8')),
    /whether it happened it happened it did not happen/,
  );
});

test('a step that was corrected is shown as it counts, says so and leads to the corrections', async () => {
  const markup = await page('/lot/BREAD-1');
  const entries = markup
    .slice(markup.indexOf('<ol class="journey"'))
    .split('</ol>')[0]!
    .split('<li>')
    .slice(1);
  // Its corrected time puts the receipt behind the production.
  const [produced = '', received = '', sold = ''] = entries;

  assert.match(toPlainText(received), /Receiving at BAKERY-2/);
  assert.match(
    toPlainText(received),
    /Shown as corrected by the brand afterwards: Block 4 and Block 9/,
  );
  assert.deepEqual(blockLinks(received), ['/explorer/block/4', '/explorer/block/9']);
  assert.doesNotMatch(toPlainText(produced), /corrected/);
  assert.match(toPlainText(sold), /through shops .*corrected by the brand afterwards: Block 5/);
});

for (const [lotCode, heights] of [
  ['GONE-1', [6, 7]],
  ['KEPT-1', [6, 7, 8]],
] as const) {
  test(`the page of ${lotCode}, whose every event was withdrawn, says so and still proves it`, async () => {
    const markup = await page(`/lot/${lotCode}`);
    const text = toPlainText(markup);

    assert.match(text, /Verified\./);
    assert.match(
      text,
      /No step of this lot counts now\. What was recorded is in the blocks below, with the corrections/,
    );
    assert.doesNotMatch(text, /unknown place|All times/);
    const proof = blockLinks(
      markup.slice(markup.indexOf('<div class="wide"'), markup.indexOf('</table>')),
    );
    assert.deepEqual(
      proof,
      heights.map((height) => `/explorer/block/${height}`),
    );
  });
}

test('a search shows changes apart from lines, with what they correct', async () => {
  const markup = await page('/explorer/search?q=4');
  const text = toPlainText(markup);

  assert.match(text, /Corrections What was wrong What Before From then on Corrects Recorded in/);
  assert.match(text, /place BAKERY-1 BAKERY-2 Block 1 Block 4/);
  assert.doesNotMatch(text, /Transactions/);
});

test('a lot on hold says so before anything else that happened to it, until it is released', async () => {
  const headers = { 'X-Tenant-Id': 'bakery' };
  const hold = { reason: 'foreign smell', by: 'Ada' };
  assert.equal((await hub.post('/v1/lots/BREAD-1/hold', hold, headers)).status, 200);
  const held = await page('/lot/BREAD-1');
  assert.equal((await hub.post('/v1/lots/BREAD-1/release', { by: 'Ada' }, headers)).status, 200);
  const released = toPlainText(await page('/lot/BREAD-1'));

  assert.match(
    toPlainText(held),
    /Wait: this lot is on hold bakery has stopped this lot\. Do not eat or use it until it is released/,
  );
  assert.ok(held.indexOf('is on hold') < held.indexOf('id="story"'));
  assert.doesNotMatch(held, /foreign smell|Ada/);
  assert.match(released, /not on hold/);
  assert.doesNotMatch(released, /is on hold/);
});

/** The scripts of these pages. */
const OWN_MODULE =
  /<script type="module" src="\/assets\/modules\/(?:check|copy-buttons|local-times)\.\w+\.js"><\/script>/g;

test('what a correction says never becomes markup, on no page that shows it', async () => {
  for (const path of [
    '/lot/BREAD-1',
    '/explorer',
    '/explorer/block/1',
    '/explorer/block/4',
    '/explorer/block/9',
    '/explorer/search?q=9',
  ]) {
    const answer = await hub.call(path);

    assert.equal(answer.status, 200, path);
    const written = answer.text.replace(OWN_MODULE, '');
    assert.doesNotMatch(written, /<img|<script|<style|\sstyle=|\son\w+=["']/i, path);
    assert.equal(answer.text.match(/<title>/g)?.length, 1, path);
    const ids = [...answer.text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)], path);
  }
  assert.match(await page('/explorer/block/9'), /&lt;script&gt;alert\(2\)/);
});

test('every link of these pages leads somewhere', async () => {
  const pages = ['/lot/BREAD-1', '/lot/GONE-1', '/explorer/block/4', '/explorer/search?q=BREAD'];
  const texts = await Promise.all(pages.map(page));
  const links = texts.flatMap((text) =>
    [...text.matchAll(/\shref="(\/[^"#]*)/g)].map(([, link = '']) => link.replaceAll('&amp;', '&')),
  );

  for (const link of new Set(links)) assert.equal((await hub.call(link)).status, 200, link);
});
