// A log of many blocks: how long its tree takes to be built, what it takes up, and how fast it proves.
import { mkdirSync } from 'node:fs';
import { benchEvent } from '../events.ts';
import { startService, type ServiceChild } from '../kit/child.ts';
import type { DatabaseServer } from '../kit/database-server.ts';
import type { Figures } from '../kit/figures.ts';
import { copyHub } from '../kit/hub-copy.ts';
import { TENANT, fillHub, type HubEvent } from '../kit/hub.ts';
import { expectEqual, listAt, readJson } from '../kit/json-answer.ts';
import { load } from '../kit/load.ts';
import { benchBuild } from './build.ts';
import { benchCachedTiles } from './cached-tiles.ts';
import { benchInBrowser } from './in-browser.ts';
import { benchReads } from './reads.ts';
import { openRowsInFile } from './rows-in-file.ts';
import { openRowsInServer } from './rows-in-server.ts';

const EVIDENCE_LOT = 'LOT-of-100-blocks';
const BLOCKS = 100;
/** Block 0 is in each file. */
const EVIDENCE_EVENTS = BLOCKS - 1;

const MADE_P95_MS = 50;
const FILES = 200;
const SECONDS_MAX = 60;

/** Interval of reports of progress. */
const PROGRESS_EVERY = 100_000;

export async function benchHub(options: {
  readonly dir: string;
  readonly server: DatabaseServer | undefined;
  /** The genesis block among them. */
  readonly blocks: number;
  /** Also behind the cache of nginx, which has to be there. */
  readonly isCached: boolean;
  readonly figures: Figures;
}): Promise<void> {
  const { dir, server, blocks, isCached, figures } = options;
  await fillHub({
    dataDir: dir,
    events: generateEvents(blocks - 1),
    onSlice: (done) => {
      if (done % PROGRESS_EVERY === 0) console.error(`made ${done} of ${blocks} blocks`);
    },
  });
  const place = await prepareHub(dir, server);
  await using rows =
    place.databaseUrl === undefined
      ? openRowsInFile(place.dataDir)
      : await openRowsInServer(place.databaseUrl);
  await rows.drop();
  const start = () =>
    startService({
      dataDir: place.dataDir,
      env: place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl },
    });
  await benchBuild({ start, blocks, figures });
  figures.add({
    name: 'disk of tiles and frontier, for each block',
    value: (await rows.bytes()) / blocks,
    unit: 'bytes',
    target: { kind: 'at_most', value: BYTES_MAX },
  });
  await using service = await start();
  await benchReads({ service, database: rows.database, blocks, figures });
  await benchEvidence({ service, figures });
  if (isCached) {
    await benchCachedTiles({ dir, service, database: rows.database, blocks, figures });
  }
}

const BYTES_MAX = 40;

/** Where the hub is: beside its files, in a database of PostgreSQL or in a file of SQLite. */
interface HubPlace {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

async function prepareHub(dir: string, server: DatabaseServer | undefined): Promise<HubPlace> {
  if (server === undefined) return { dataDir: dir, databaseUrl: undefined };
  const { url: databaseUrl } = await server.createDatabase();
  await copyHub({ dataDir: dir, databaseUrl });
  const dataDir = `${dir}-files`;
  mkdirSync(dataDir);
  return { dataDir, databaseUrl };
}

/** Among all others, evenly spread, those of one lot: the worst that can be for its evidence. */
function* generateEvents(count: number): Generator<HubEvent> {
  const stride = Math.floor(count / EVIDENCE_EVENTS);
  for (let n = 0; n < count; n += 1) {
    const event = benchEvent(n, 'hub');
    const [used, made] = event.lines;
    const isOfLot = n % stride === 0 && n / stride < EVIDENCE_EVENTS;
    const lines =
      isOfLot && used !== undefined && made !== undefined
        ? [{ ...used, lot_code: EVIDENCE_LOT, quantity: 1 }, made]
        : event.lines;
    yield { tenantId: TENANT, event: { ...event, lines } };
  }
}

/** Measures how long the hub takes to make the evidence of a lot with many blocks, and a browser to verify it. */
async function benchEvidence(options: {
  readonly service: ServiceChild;
  readonly figures: Figures;
}): Promise<void> {
  const { service, figures } = options;
  const url = `${service.address}/public/verify/${EVIDENCE_LOT}/evidence`;
  const made = await load({
    url,
    connections: 1,
    seconds: SECONDS_MAX,
    requestsMax: FILES,
    method: 'GET',
    check: (n, answer) => {
      if (n === 0) expectEqual('blocks', listAt(readJson(answer), 'blocks').length, BLOCKS);
    },
  });
  if (made.failures > 0) throw new Error(`${made.failures} requests for evidence were refused`);
  const name = `evidence of a lot with ${BLOCKS} blocks`;
  figures.addLatencies(name, made, { p95: MADE_P95_MS });
  const evidence = await (await fetch(url)).text();
  await benchInBrowser({ service, evidence, name: `${name}, verified in Chromium`, figures });
}
