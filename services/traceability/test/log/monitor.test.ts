// examples/monitor.py follows a hub: it reports watched lots, and every contradiction.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { aLine, anEvent, boot, type Booted } from '../boot.ts';
import { BRAND, DECIDED, WATCHED, decideOnLots, getDecidedHeight } from './decided.ts';

const SCRIPT = fileURLToPath(new URL('../../../../examples/monitor.py', import.meta.url));
const HAS_PYTHON = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

interface Ran {
  readonly code: number;
  readonly reports: readonly Readonly<Record<string, unknown>>[];
}

class Monitor implements AsyncDisposable {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  static async of(hub: Booted): Promise<Monitor> {
    const folder = await mkdtemp(join(tmpdir(), 'lothub-monitor-'));
    const { text } = await hub.call('/log/1/policy');
    await writeFile(join(folder, 'policy'), text);
    return new Monitor(folder);
  }

  /** One look at a hub. */
  look(hub: Booted, ...more: readonly string[]): Promise<Ran> {
    const state = join(this.#folder, 'state');
    const policy = join(this.#folder, 'policy');
    const args = [SCRIPT, hub.base, '--policy', policy, '--state', state, '--once', ...more];
    return new Promise((resolve) => {
      execFile('python3', args, (error, stdout) => {
        const lines = stdout.split('\n').filter((line) => line !== '');
        resolve({
          code: error === null ? 0 : Number(error.code),
          reports: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
        });
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

async function post(hub: Booted, lotCode: string): Promise<void> {
  const { status } = await hub.post(
    '/v1/events',
    anEvent({ lines: [aLine({ lot_code: lotCode })] }),
  );
  assert.equal(status, 201);
}

test('examples/monitor.py is tried only where python3 and cryptography are there', (t) => {
  t.diagnostic(`python3 with cryptography: ${HAS_PYTHON}`);
});

if (HAS_PYTHON) {
  test('it reads all blocks, and then the new ones, and reports watched lots', async () => {
    await using hub = await boot();
    await using monitor = await Monitor.of(hub);
    await hub.post(
      '/v1/events/batch',
      Array.from({ length: 300 }, () => anEvent()),
    );

    const first = await monitor.look(hub);
    await post(hub, 'WATCHED-1');
    await post(hub, 'OTHER-1');
    const second = await monitor.look(hub, '--lot', 'WATCHED-1');
    const third = await monitor.look(hub);

    assert.deepEqual(first, { code: 0, reports: [{ kind: 'checked', size: 301, new: 301 }] });
    assert.deepEqual(second, {
      code: 0,
      reports: [
        { kind: 'new block', block: 301, brand: 'acme', lots: ['WATCHED-1'], type: 'event' },
        { kind: 'checked', size: 303, new: 2 },
      ],
    });
    assert.deepEqual(third.reports, [{ kind: 'checked', size: 303, new: 0 }]);
  });

  test('it reports decisions that name a watched lot, and of all of a watched brand', async () => {
    await using hub = await boot();
    await using monitor = await Monitor.of(hub);
    await using other = await Monitor.of(hub);
    await decideOnLots(hub);

    const ofLot = await monitor.look(hub, '--lot', WATCHED);
    const ofBrand = await other.look(hub, '--brand', BRAND);

    const common = { kind: 'new block', brand: BRAND, lots: [WATCHED] };
    assert.deepEqual(ofLot.reports.slice(0, -1), [
      { ...common, block: getDecidedHeight('PRODUCE of the watched lot'), type: 'event' },
      { ...common, block: getDecidedHeight('hold of the watched lot'), type: 'hold' },
      { ...common, block: getDecidedHeight('recall, disclosed'), type: 'recall' },
    ]);
    assert.deepEqual(
      ofBrand.reports.slice(0, -1).map(({ block }) => block),
      DECIDED.map((_, index) => index + 1),
    );
  });

  test('it finds a fork that is signed with the true key, and prints both checkpoints', async () => {
    await using hub = await boot({ env: { LOG_ORIGIN: 'trace.example.com/log/1' } });
    await using monitor = await Monitor.of(hub);
    const key = await readFile(join(hub.dataDir, 'log.key'), 'utf8');
    await using fork = await boot({
      env: { LOG_ORIGIN: 'trace.example.com/log/1', LOG_KEY: key.trim() },
    });
    await post(hub, 'FLOUR-1');
    await post(fork, 'FLOUR-9');

    const honest = await monitor.look(hub);
    const sameSize = await monitor.look(fork);
    await post(fork, 'FLOUR-9');
    const larger = await monitor.look(fork);

    assert.equal(honest.code, 0);
    for (const { code, reports } of [sameSize, larger]) {
      assert.equal(code, 1);
      assert.equal(reports[0]?.['code'], 'split_view');
      assert.equal((reports[0]?.['checkpoints'] as readonly string[]).length, 2);
    }
  });

  test('it believes no other key', async () => {
    await using hub = await boot({ env: { LOG_ORIGIN: 'trace.example.com/log/1' } });
    await using other = await boot({ env: { LOG_ORIGIN: 'trace.example.com/log/1' } });
    await using monitor = await Monitor.of(hub);

    const { code, reports } = await monitor.look(other);

    assert.equal(code, 1);
    assert.equal(reports[0]?.['code'], 'bad_signature');
  });

  test('a hub without a log cannot be followed', async () => {
    await using hub = await boot();
    await using without = await boot({ env: { LOG: 'off' } });
    await using monitor = await Monitor.of(hub);

    const { code, reports } = await monitor.look(without);

    assert.deepEqual({ code, reports }, { code: 2, reports: [] });
  });
}
