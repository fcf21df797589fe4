// The dearest public reads: of a lot in the middle of 3,000 related ones. The first request after the lot
// was used anew finds everything again; those after it are answered out of what it found.
import { join } from 'node:path';
import { benchEvent } from '../events.ts';
import { HEADERS, type ServiceChild } from '../kit/child.ts';
import { TENANT, fillHub, type HubEvent } from '../kit/hub.ts';
import { median, type Figure } from '../kit/report.ts';

/** Lots of each step from what is received to what is sold; the lot in the middle is the single one. */
const STEPS = [1_000, 400, 100, 1, 100, 400, 1_000] as const;
const MIDDLE = 'LOT-3-0';
const ROUNDS = 15;
const AGAIN_PER_ROUND = 10;
const TOGETHER = 10;

interface MiddleRead {
  readonly path: string;
  /** Of the first request, at most: what the next one takes, and ten at once. None: no promise. */
  readonly atMost?: { readonly again: number; readonly together: number };
}

const READS: Readonly<Record<string, MiddleRead>> = {
  'GET /public/explorer/lot': {
    path: `/public/explorer/lot/${MIDDLE}`,
    atMost: { again: 0.2, together: 2 },
  },
  // It hashes the blocks of the lot and of its ancestors each time.
  'GET /public/verify': { path: `/public/verify/${MIDDLE}` },
};

export async function makeMiddleHub(dataDir: string): Promise<void> {
  await fillHub({ dataDir, events: middleEvents() });
}

function* middleEvents(): Generator<HubEvent> {
  for (const [step, lots] of STEPS.entries()) {
    const next = STEPS[step + 1];
    if (next === undefined) return;
    // Of the smaller side each lot is an event of its own, with the lots of the other side dealt out.
    for (let n = 0; n < Math.min(lots, next); n += 1) {
      const ins = lots > next ? dealt(step, lots, n, next) : [formatCode(step, n)];
      const outs = lots > next ? [formatCode(step + 1, n)] : dealt(step + 1, next, n, lots);
      yield { tenantId: TENANT, event: produced(`${step}-${n}`, ins, outs) };
    }
  }
}

const formatCode = (step: number, n: number): string => `LOT-${step}-${n}`;

function dealt(step: number, lots: number, n: number, among: number): readonly string[] {
  const codes: string[] = [];
  for (let lot = n; lot < lots; lot += among) codes.push(formatCode(step, lot));
  return codes;
}

function produced(
  name: string,
  ins: readonly string[],
  outs: readonly string[],
): HubEvent['event'] {
  const [input, output] = benchEvent(0, 'middle').lines;
  if (input === undefined || output === undefined) throw new Error('an event without two lines');
  return {
    ...benchEvent(0, 'middle'),
    external_id: `middle-${name}`,
    reference: `WO-middle-${name}`,
    lines: [
      ...ins.map((lot_code) => ({ ...input, lot_code })),
      ...outs.map((lot_code) => ({ ...output, lot_code })),
    ],
  };
}

export async function benchMiddle(
  startHub: (dataDir: string) => Promise<() => Promise<ServiceChild>>,
  dir: string,
): Promise<readonly Figure[]> {
  const dataDir = join(dir, 'middle');
  await makeMiddleHub(dataDir);
  await using service = await (await startHub(dataDir))();
  const figures: Figure[] = [];
  for (const [name, one] of Object.entries(READS)) {
    figures.push(...(await measure(service, name, one)));
  }
  return figures;
}

async function measure(
  service: ServiceChild,
  name: string,
  { path, atMost }: MiddleRead,
): Promise<readonly Figure[]> {
  const first: number[] = [];
  const again: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await use(service, `${name}-${round}`);
    first.push(await elapsed(() => read(service, path)));
    for (let n = 0; n < AGAIN_PER_ROUND; n += 1)
      again.push(await elapsed(() => read(service, path)));
    await use(service, `${name}-${round}-together`);
    const all = Array.from({ length: TOGETHER }, () => read(service, path));
    together.push(await elapsed(() => Promise.all(all)));
  }
  const middle = `${name} in the middle of 3,000 lots`;
  const [firstMs, againMs, togetherMs] = [median(first), median(again), median(together)];
  return [
    { name: `${middle}, after the lot was used`, value: firstMs, unit: 'ms' },
    { name: `${middle}, again`, value: againMs, unit: 'ms' },
    share(`${middle}, again, as a share`, againMs / firstMs, atMost?.again),
    share(
      `${middle}, ${TOGETHER} at once after it was used, compared with one`,
      togetherMs / firstMs,
      atMost?.together,
    ),
  ];
}

function share(name: string, value: number, atMost: number | undefined): Figure {
  const figure = { name, value, unit: '' };
  return atMost === undefined ? figure : { ...figure, target: { kind: 'at_most', value: atMost } };
}

/** Makes one more lot out of the one in the middle. */
async function use(service: ServiceChild, name: string): Promise<void> {
  const response = await fetch(`${service.address}/v1/events`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(produced(`used-${name}`, [MIDDLE], [`LOT-${name}`])),
  });
  if (response.status !== 201) throw new Error(`posting was refused: ${await response.text()}`);
  await response.body?.cancel();
}

async function read(service: ServiceChild, path: string): Promise<void> {
  const response = await fetch(service.address + path);
  const text = await response.text();
  if (response.status !== 200 || !text.includes(MIDDLE)) throw new Error(`${path} was refused`);
}

async function elapsed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}
