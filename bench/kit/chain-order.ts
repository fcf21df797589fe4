// Whether several processes over one database kept one order: no height missing or twice, every block
// linked to the one before, every acknowledged event on it, and all processes naming the same tip.
import { ChainVerifier, type StoredBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import type { ServiceChild } from './child.ts';
import { expectEqual, textAt, valueAt } from './json-answer.ts';

const SLICE_BLOCKS = 10_000;

/**
 * @param accepted events that were acknowledged, all in all
 * @throws Error naming what is wrong
 */
export async function checkOrder(options: {
  readonly databaseUrl: string;
  readonly services: readonly ServiceChild[];
  readonly accepted: number;
}): Promise<void> {
  await using connection = await PostgresConnection.open(options.databaseUrl);
  const verifier = new ChainVerifier({ hash: sha256Hex, depth: 'contents' });
  for (let read = SLICE_BLOCKS; read === SLICE_BLOCKS;) {
    const blocks = await connection.all<StoredBlock>(sql`
      select height, hash as "blockHash", canonical
      from blocks
      where height > ${verifier.position.height}
      order by height
      limit ${SLICE_BLOCKS}
    `);
    const fault = verifier.verifyBlocks(blocks);
    if (fault !== undefined) throw new Error(`block ${fault.height}: ${fault.message}`);
    read = blocks.length;
  }
  const { height, blockHash } = verifier.position;
  const events = await connection.first<{ readonly count: number }>(
    sql`select count(*) as count from events`,
  );
  expectEqual('events on the chain', events?.count, options.accepted);
  for (const { address } of options.services) {
    const response = await fetch(`${address}/public/explorer`);
    const json: unknown = await response.json();
    expectEqual(`height that ${address} names`, valueAt(json, 'stats', 'height'), height);
    expectEqual(`tip that ${address} names`, textAt(json, 'stats', 'tip_hash'), blockHash);
  }
}

/** Of the tip that a process names. */
export async function heightAt({ address }: ServiceChild): Promise<number> {
  const response = await fetch(`${address}/public/explorer`);
  const height = valueAt(await response.json(), 'stats', 'height');
  if (typeof height !== 'number') throw new Error(`${address} names no height`);
  return height;
}
