// The blocks of a hub over its public explorer, lowest first, a page at a time. The explorer lists
// newest first, so each page is requested by the height it must end before, and turned round.
import type { StoredBlock } from '@lothub/chain';
import { CommandError } from '@lothub/kit/cli/command-error';
import type { HubClient } from '../hub-client.ts';
import type { Checkpoint } from './judge-chain.ts';

/** The most blocks that the explorer gives at once. */
const PAGE_BLOCKS = 200;

/**
 * @returns the tip as the hub names it now, and the blocks up to it
 * @throws CommandError `answer_unexpected` when this is no hub; as the client does
 */
export async function blocksOfHub(
  client: HubClient,
): Promise<{ readonly tip: Checkpoint; readonly pages: AsyncIterable<readonly StoredBlock[]> }> {
  const path = '/public/explorer';
  const stats = field(await client.get(path), 'stats');
  const height = field(stats, 'height');
  const hash = field(stats, 'tip_hash');
  if (!isHeight(height) || typeof hash !== 'string') throw notAHub(client.base + path);
  return { tip: { height, hash }, pages: pagesUpTo(client, height) };
}

async function* pagesUpTo(
  client: HubClient,
  lastHeight: number,
): AsyncGenerator<readonly StoredBlock[]> {
  let span = PAGE_BLOCKS;
  let from = 0;
  while (from <= lastHeight) {
    const end = Math.min(from + span, lastHeight + 1);
    const page = await readPage(client, { from, end });
    // A hub that returns other blocks than the requested ones is reported; the request is not
    // repeated for ever.
    const isCut = page.length > 0 && page.length < end - from;
    // The hub cuts a page of large blocks at its low end. The request is repeated for as many as
    // fit, so that memory never has more than one page.
    span = isCut ? page.length : Math.min(span * 2, PAGE_BLOCKS);
    if (isCut) continue;
    yield page;
    from = end;
  }
}

/** Blocks from one height up to, but not including, another, in ascending order. */
async function readPage(
  client: HubClient,
  range: { readonly from: number; readonly end: number },
): Promise<readonly StoredBlock[]> {
  const path = `/public/explorer/blocks?limit=${range.end - range.from}&before=${range.end}`;
  const listed = field(await client.get(path), 'blocks');
  if (!Array.isArray(listed)) throw notAHub(client.base + path);
  const page: StoredBlock[] = [];
  for (const block of listed) page.push(await readBlock(client, block));
  return page.reverse();
}

/** Reads a block of a page; requests it alone when the page leaves its text out. */
async function readBlock(client: HubClient, listed: unknown): Promise<StoredBlock> {
  const height = field(listed, 'height');
  const path = `/public/explorer/block/${String(height)}`;
  const full = field(listed, 'canonical') === undefined ? await client.get(path) : listed;
  const blockHash = field(full, 'block_hash');
  const canonical = field(full, 'canonical');
  if (!isHeight(height) || typeof blockHash !== 'string' || typeof canonical !== 'string') {
    throw notAHub(client.base + path);
  }
  return { height, blockHash, canonical };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function isHeight(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function notAHub(address: string): CommandError {
  return new CommandError(
    'answer_unexpected',
    `reading ${address}: the answer is not that of a hub's explorer; is this the address of a hub?`,
  );
}
