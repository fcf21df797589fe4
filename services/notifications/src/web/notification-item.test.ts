// A row of the list says what its notification says, and nothing in it becomes markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { cutExcerpt, notificationItem } from './browser/notification-item.ts';
import type { ShownNotification } from './browser/notification-item.ts';

function aNotification(changes: Partial<ShownNotification> = {}): ShownNotification {
  return {
    id: 7,
    group_id: 'grp_1',
    seq: 3,
    title: 'Oven 3 is too hot',
    body: null,
    severity: 'critical',
    created_at: '2026-01-02T03:04:05.678Z',
    sender: { name: 'Oven 3' },
    acknowledged: null,
    read: false,
    ...changes,
  };
}

/** Tags of a row and their attributes' names; what is between and in them is left out. */
function readSkeleton(one: ShownNotification): string {
  const { text } = notificationItem(one, { groupName: one.title, query: '?in=all' });
  return text.replace(/"[^"]*"/g, '""').replace(/>[^<]*</g, '><');
}

test('no text of a notification opens or closes anything of its row', () => {
  const plain = readSkeleton(aNotification({ body: 'a', title: 'a', sender: { name: 'a' } }));

  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      const one = aNotification({ title: text, body: text, sender: { name: text } });
      assert.equal(readSkeleton(one), plain);
    }),
  );
});

test('what was written is isolated from what is beside it', () => {
  const one = aNotification({ title: '\u202egnirts', body: '\u202eydob' });

  const { text } = notificationItem(one);

  assert.match(text, /<bdi>\u202egnirts<\/bdi>/);
  assert.match(text, /<bdi>\u202eydob<\/bdi>/);
});

test('the severity is a word beside its picture, and unread is a word, too', () => {
  const { text } = notificationItem(aNotification());

  assert.match(text, /class="icon icon-critical"[\s\S]*<\/svg>\s*Critical/);
  assert.match(text, /unread-mark">\s*Unread/);
});

test('only a critical one asks to be acknowledged, and once it is, says by whom', () => {
  const critical = notificationItem(aNotification()).text;
  const warning = notificationItem(aNotification({ severity: 'warning' })).text;
  const taken = notificationItem(aNotification({ acknowledged: { name: 'Ada' } })).text;

  assert.match(critical, /data-act="ack"/);
  assert.doesNotMatch(warning, /data-act="ack"/);
  assert.doesNotMatch(taken, /data-act="ack"/);
  assert.match(taken, /Acknowledged by<\/span>\s+<bdi>Ada<\/bdi>/);
});

test('what belongs together says how often and what it is now; one that is alone says neither', () => {
  const firing = notificationItem(aNotification({ count: 1_200, status: 'firing' })).text;
  const alone = notificationItem(aNotification({ count: 1 })).text;

  assert.match(firing, /Firing[\s\S]*×1,200[\s\S]*1,200 times/);
  assert.doesNotMatch(alone, /state-mark/);
});

test('what is resolved asks nobody to acknowledge it', () => {
  const { text } = notificationItem(aNotification({ status: 'resolved' }));

  assert.doesNotMatch(text, /data-act="ack"/);
});

test('a link shows the host that it leads to, and nothing but addresses of the web are links', () => {
  const shown = notificationItem(
    aNotification({ url: 'https://www.example.com@attacker.example/"x' }),
  ).text;
  const script = notificationItem(aNotification({ url: 'javascript:alert(1)' })).text;

  assert.match(shown, /rel="noopener noreferrer"[\s\S]*<bdi>attacker\.example<\/bdi>/);
  assert.doesNotMatch(shown, /"x"/);
  assert.doesNotMatch(script, /javascript/);
});

test('what was redacted says so in place of its title', () => {
  const redacted_at = '2026-01-02T03:04:05.678Z';

  const { text } = notificationItem(aNotification({ title: '', redacted_at }));

  assert.match(text, /Text removed by an owner/);
});

test('a long body is cut between characters as people see them', () => {
  const family = '👩‍👩‍👧‍👦';

  const excerpt = cutExcerpt(family.repeat(200));

  assert.match(excerpt, new RegExp(`^(?:${family})+…$`, 'u'));
  assert.equal(cutExcerpt('short'), 'short');
});
