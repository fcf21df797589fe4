// What is kept of public answers is never older than the chain: after each step of a random supply chain,
// an answer that may have been kept is what a hub that keeps nothing answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseReader } from '@lothub/kit/database';
import { chooseRounds } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { LotBlocks } from '../../src/explorer/lot-blocks.ts';
import { LedgerReader } from '../../src/ledger/read.ts';
import { Notices } from '../../src/lots/notices/notices.ts';
import { Surroundings } from '../../src/verification/surroundings.ts';
import { verifyLot } from '../../src/verification/verify-lot.ts';
import { boot, type Booted } from '../boot.ts';
import { chainsToPlay, type TestDatabase } from '../engine.ts';
import { ChainModel } from '../model/chain-model.ts';
import { playStep } from '../model/play.ts';
import { DENSE, supplyChain, type Step } from '../model/supply-chains.ts';

const CHAINS = chooseRounds({ usual: 2, long: 6 });
/** A slow machine plays fewer chains, and makes a failing one less small. */
const IN_TIME = { interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false };
const LIMIT = 5;

/** Asks past the service. */
function openReader(database: TestDatabase): DatabaseReader {
  const all = <Row>({ sql: text, values }: { sql: string; values: unknown[] }) =>
    database.rows(text, ...(values as (string | number)[])) as unknown as Promise<readonly Row[]>;
  return {
    all,
    first: async <Row>(query: { sql: string; values: unknown[] }) => (await all<Row>(query))[0],
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The answers of objects that have kept nothing yet. */
class Forgetful {
  readonly #reader: LedgerReader;
  readonly #hub: Booted;

  constructor(hub: Booted) {
    this.#hub = hub;
    const database = openReader(hub.database);
    this.#reader = new LedgerReader({ database, state: hub.service.state });
  }

  async lotBlocks(lotCode: string, brand: string): Promise<unknown> {
    const deps = { reader: this.#reader, state: this.#hub.service.state };
    return plain(
      await new LotBlocks(deps).page({ lotCode, brand, before: undefined, limit: LIMIT }),
    );
  }

  async verification(lotCode: string, brand: string): Promise<unknown> {
    const deps = { reader: this.#reader, state: this.#hub.service.state };
    const { answer } = await verifyLot(
      {
        ...deps,
        hubName: 'Lothub',
        publicUrl: '',
        notices: new Notices({ database: this.#reader.database, publicUrl: '' }),
        surroundings: new Surroundings(deps),
      },
      { lotCode, brand },
    );
    return plain(answer);
  }
}

function plain(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer));
}

async function assertNeverOld(steps: readonly Step[]): Promise<void> {
  await using hub = await boot();
  const forgetful = new Forgetful(hub);
  const model = new ChainModel();
  for (const [index, step] of steps.entries()) {
    await playStep(hub, model, step);
    if (step.kind === 'rest') continue;
    for (const lotCode of model.mapNamings(step.tenantId).keys()) {
      const path = `${encodeURIComponent(lotCode)}?brand=${step.tenantId}`;
      const blocks = await hub.call(`/public/explorer/lot/${path}&limit=${LIMIT}`);
      const verification = await hub.call(`/public/verify/${path}`);

      const words: string = `${lotCode} of ${step.tenantId} after step ${index}`;
      const expected = await forgetful.lotBlocks(lotCode, step.tenantId);
      assert.deepEqual(blocks.json, expected, words);
      const verified = await forgetful.verification(lotCode, step.tenantId);
      assert.deepEqual(verification.json, verified, words);
    }
  }
}

test('no step of a random chain leaves an answer that was kept too long', async () => {
  await fc.assert(
    fc.asyncProperty(
      supplyChain({ ...DENSE, tenantIds: ['acme'], eventsOfStepMax: 2 }),
      assertNeverOld,
    ),
    { numRuns: chainsToPlay(CHAINS), ...IN_TIME },
  );
});
