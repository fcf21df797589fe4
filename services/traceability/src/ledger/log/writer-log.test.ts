// The state of the log in the thread that serves requests, for messages in any order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogNewsSender, WriterLog } from './writer-log.ts';
import type { LogState, SignedCheckpoint } from './signed-log.ts';

const SETTINGS = {
  origin: undefined,
  key: undefined,
  keyFile: '',
  publicUrl: undefined,
  hasWitnesses: false,
};

function checkpoint(size: number): SignedCheckpoint {
  return { size, root: new Uint8Array(32), note: `checkpoint of ${size} blocks` };
}

/** Makes both ends, and a function that sends news and waits for their arrival. */
function bothEnds() {
  const log = new WriterLog(SETTINGS);
  const { port } = log.writerData;
  const sender = new LogNewsSender(port);
  port.on('message', ({ id }: { readonly id: number }) => port.postMessage({ kind: 'looked', id }));
  const send = async (state: LogState, size: number): Promise<void> => {
    const building = state === 'building' ? { tiled: 0, blocks: size } : undefined;
    sender.send({ state, building, checkpoint: checkpoint(size), unconfirmed: undefined });
    // Messages of a port arrive in order: the answer to this look arrives after the news.
    await log.newest({ size: Number.MAX_SAFE_INTEGER });
  };
  return {
    log,
    send,
    [Symbol.dispose]: () => {
      sender[Symbol.dispose]();
      log[Symbol.dispose]();
    },
  };
}

test('a log that was held is signing again when the news say so, also of the same blocks', async () => {
  using ends = bothEnds();
  await ends.send('signing', 5);
  await ends.send('held', 5);
  assert.equal(ends.log.state, 'held');
  assert.equal(await ends.log.newest(), undefined);

  await ends.send('signing', 5);

  assert.equal(ends.log.state, 'signing');
  assert.equal((await ends.log.newest())?.size, 5);
});

test('an answer that was slower than the word that nothing is signed does not undo it', async () => {
  using ends = bothEnds();
  await ends.send('signing', 5);
  await ends.send('held', 6);

  ends.log.answered(checkpoint(6));

  assert.equal(ends.log.state, 'held');
  assert.equal(ends.log.last?.size, 6);
});

test('an answer that was quicker than older news stays the newest', async () => {
  using ends = bothEnds();
  await ends.send('signing', 5);
  ends.log.answered(checkpoint(7));

  await ends.send('signing', 6);

  assert.equal((await ends.log.newest())?.size, 7);
});

test('the progress of the tree is sent again whenever more of it is made', async () => {
  using ends = bothEnds();
  await ends.send('building', 5);
  await ends.send('building', 6);
  assert.deepEqual(ends.log.building, { tiled: 0, blocks: 6 });

  await ends.send('signing', 6);

  assert.equal(ends.log.building, undefined);
});

test('a writer that ends before it began keeps nobody waiting', async () => {
  const { log } = bothEnds();
  log.writerData.port.close();

  await log.began;

  assert.equal(log.identity, undefined);
});
