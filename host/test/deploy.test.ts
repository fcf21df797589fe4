// The samples for operators of the services: the proxy in front of them, compose, and the image.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parsePolicy } from '@lothub/chain/log';
import { LANGUAGES, languageCookie } from '@lothub/languages';

const PROXY = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');

for (const [header, value] of [
  ['X-Forwarded-For', '$remote_addr'],
  ['X-Forwarded-Proto', '$scheme'],
  ['X-Forwarded-Host', '""'],
] as const) {
  test(`the proxy replaces ${header}, which the services believe, by ${value}`, () => {
    const set = PROXY.split('\n').filter((line) => line.includes(`proxy_set_header ${header} `));

    assert.deepEqual(
      set.map((line) => line.trim()),
      [`proxy_set_header ${header} ${value};`],
    );
  });
}

const KEPT = new Map(
  [...PROXY.matchAll(/^ {2}location ~ (\S+) {\n(?: {4}.*\n)* {4}proxy_cache (\w+);/gm)].map(
    ([, path = '', cache = '']) => [cache, new RegExp(path)],
  ),
);

test('the proxy keeps what never changes of the public log, and pages of consumers for a moment', () => {
  const kept = (cache: string, path: string): boolean => KEPT.get(cache)?.test(path) === true;
  const ofLog = ['tile/0/000', 'tile/entries/x001/000.p/3', 'blocks/000'];
  const others = ['checkpoint', 'checkpoint/latest', 'proof/3', 'vkeys', 'policy'];
  const pages = [
    '/',
    '/lot/L-1',
    '/lot',
    '/recalls',
    '/recalls/RC-2026-0001',
    '/01/04006381333931/10/L-1',
  ];
  const private_ = [
    '/v1/lots',
    '/lots',
    '/groups/a',
    '/login',
    '/public/verify/L-1',
    '/api/v1/stream',
  ];

  assert.deepEqual([...KEPT.keys()].sort(), ['lothub_log', 'lothub_pages']);
  for (const path of ofLog) assert.ok(kept('lothub_log', `/log/1/${path}`), path);
  for (const path of others) assert.ok(!kept('lothub_log', `/log/1/${path}`), path);
  for (const path of pages) assert.ok(kept('lothub_pages', path), path);
  for (const path of private_) assert.ok(!kept('lothub_pages', path), path);
});

test('the proxy writes no path to its log that may hold the token of a sender', () => {
  const [, path = ''] = /^ {2}location ~ (\S+) {\n {4}access_log off;/m.exec(PROXY) ?? [];

  const isUnlogged = new RegExp(path);
  assert.ok(isUnlogged.test('/api/v1/ingest/slack/na_Zk3bQ9xT1a'));
  assert.ok(!isUnlogged.test('/api/v1/ingest'));
  assert.ok(!isUnlogged.test('/api/v1/ingest/slack'));
});

test('the proxy keeps a page for each language that pages are written in', () => {
  const all = LANGUAGES.join('|');
  const asked = [...PROXY.matchAll(/"~\^\(\?<\w+>([^)]*)\)/g)].map(([, languages]) => languages);

  assert.deepEqual(asked, [all, all]);
  assert.ok(PROXY.includes('map $cookie_lothub_language $lothub_language {'));
  assert.ok(languageCookie('en').startsWith('lothub_language='));
});

const COMPOSE = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
const IMAGE = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

test('the program of a check of compose is one text, which a colon in it does not divide', () => {
  const programs = [...COMPOSE.matchAll(/^ +- (.*process\.exit.*)$/gm)].map(([, text]) => text);

  assert.equal(programs.length, 1);
  assert.match(programs[0] ?? '', /^(?:"[^"]*"|'(?:[^']|'')*')$/);
});

test('compose counts a process and the proxy as healthy once events are taken', () => {
  const asked = [...COMPOSE.matchAll(/http:\/\/127\.0\.0\.1(?::8000)?(\/\w+)/g)].map(
    ([, path]) => path,
  );

  assert.deepEqual(asked, ['/ready', '/ready']);
});

test('the image asks whether the process lives, also while it upgrades a hub', () => {
  const [check = ''] = /^HEALTHCHECK[^]*?\n\n/m.exec(IMAGE) ?? [];

  assert.match(check, /'\/health'/);
  assert.doesNotMatch(check, /\/ready/);
});

test('a process of compose has no capability and a root that cannot be written to', () => {
  const [ours = ''] = /^x-lothub:[^]*?^services:/m.exec(COMPOSE) ?? [];

  for (const line of ['read_only: true', 'cap_drop: [ALL]', "['no-new-privileges:true']"]) {
    assert.ok(ours.includes(line), line);
  }
});

test('the image runs as a numbered user that is not root', () => {
  assert.match(IMAGE, /^USER [1-9]\d*:[1-9]\d*$/m);
});

const WITNESSES = readFileSync(
  new URL('../../deploy/compose-witnesses.yaml', import.meta.url),
  'utf8',
);

test('the processes of the sample with witnesses are held as those of compose are', () => {
  const [ours = ''] = /^x-lothub:[^]*?^services:/m.exec(WITNESSES) ?? [];

  for (const line of ['read_only: true', 'cap_drop: [ALL]', "['no-new-privileges:true']"]) {
    assert.ok(ours.includes(line), line);
  }
});

test('of the sample with witnesses each has a list of its own, and each hub a policy', () => {
  const services = [...WITNESSES.matchAll(/^ {2}([\w-]+):\n {4}<<: \*lothub\n([^]*?)\n(?=\n)/gm)];

  const parsed = services.map(([, name, text = '']) => ({
    name,
    list: /WITNESS_LOGS: \/etc\/lothub\/logs\.txt/.test(text),
    policy: /WITNESS_POLICY_FILE: \/etc\/lothub\/policy\.txt/.test(text),
    address: /PUBLIC_URL: (\S+)/.exec(text)?.[1],
    data: /- ([\w-]+):\/data/.exec(text)?.[1],
    files: /- \.\/witnesses\/(\w):\/etc\/lothub:ro/.exec(text)?.[1],
    isWitness: /command: \[node_modules\/\.bin\/node, host\/bin\/lothub\.ts, witness\]/.test(text),
  }));

  const hub = { list: true, policy: true, isWitness: false };
  assert.deepEqual(parsed, [
    { ...hub, name: 'hub-a', address: 'http://hub-a:8000', data: 'hub-a', files: 'a' },
    { ...hub, name: 'hub-b', address: 'http://hub-b:8000', data: 'hub-b', files: 'b' },
    {
      ...{ list: true, policy: false, isWitness: true },
      ...{ name: 'witness', address: 'http://witness:8000', data: 'witness', files: 'w' },
    },
  ]);
});

test('the policy with which the sample with witnesses begins is one', () => {
  const [, first = ''] = /echo '(quorum none)' > /.exec(WITNESSES) ?? [];

  assert.equal(parsePolicy(`${first}\n`).quorum.kind, 'none');
});
