// The worker's side of a verification in several threads: works on its orders, one after the other.
import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { DatabaseError } from '@lothub/kit/database';
import { LotsVerification, allLots } from '../lots/lots.ts';
import { Findings, type LedgerMismatch } from '../mismatch.ts';
import { NumberSet } from '../number-set.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';
import type { Answer, Message, Order } from './orders.ts';
import { verifyRange } from './range.ts';

/** Lots and lines of one slice. */
const ROWS_PER_SLICE = 1_000;
/** Number of blocks of one progress report. */
const BLOCKS_PER_PROGRESS = 2_000;

export interface RangeWorkerOptions {
  readonly port: MessagePort;
  /** Reader of a connection without other users. */
  readonly reader: SnapshotReader;
  readonly findStorageDamage: () => Promise<LedgerMismatch | undefined>;
}

/** Answers orders until the port receives `close`. */
export async function serveOrders(options: RangeWorkerOptions): Promise<void> {
  const { port } = options;
  for await (const [order] of on(port, 'message') as AsyncIterable<[Order | 'close']>) {
    if (order === 'close') return;
    const answer = await answerTo(order, { ...options, onBlocks: countTo(port) });
    send(port, { kind: 'answer', answer });
  }
}

/** Works on one order. */
export async function answerTo(
  order: Order,
  options: Omit<RangeWorkerOptions, 'port'> & { readonly onBlocks: (count: number) => void },
): Promise<Answer> {
  const { reader, onBlocks } = options;
  try {
    switch (order.kind) {
      case 'blocks':
        return (await verifyRange(reader, order, onBlocks)) ?? DOUBTFUL;
      case 'lots': {
        const seenLots = new NumberSet(order.seenLots);
        const { lots } = order;
        return await verifyLots(new LotsVerification({ reader, seenLots, lots, texts: 'left' }));
      }
      case 'texts':
        return await verifyLots(
          new LotsVerification({
            reader,
            seenLots: new NumberSet(),
            lots: allLots(undefined),
            texts: 'follow',
          }),
        );
      case 'storage':
        return (await options.findStorageDamage()) === undefined ? SOUND : DOUBTFUL;
    }
  } catch (error) {
    // The verification of the whole reads it again, and reports the fault.
    if (error instanceof DatabaseError) return DOUBTFUL;
    throw error;
  }
}

const SOUND: Answer = { kind: 'sound' };
const DOUBTFUL: Answer = { kind: 'doubtful' };

async function verifyLots(lots: LotsVerification): Promise<Answer> {
  const findings = new Findings();
  let status: 'more' | 'complete' = 'more';
  while (status === 'more' && findings.count === 0) {
    status = await lots.advance({ rowsMax: ROWS_PER_SLICE, tip: 0, findings });
  }
  return findings.count === 0 ? SOUND : DOUBTFUL;
}

function countTo(port: MessagePort): (blocks: number) => void {
  let unreported = 0;
  return (blocks) => {
    unreported += blocks;
    if (unreported < BLOCKS_PER_PROGRESS) return;
    send(port, { kind: 'progress', blocks: unreported });
    unreported = 0;
  };
}

function send(port: MessagePort, message: Message): void {
  port.postMessage(message);
}
