// The queries of the log's keeper, in SQL that both engines share.
import type { DatabaseReader } from '@lothub/kit/database';
import { TILE_WIDTH } from '@lothub/chain/log';
import { inList } from '@lothub/kit/in-list';
import { instantText, systemClock } from '@lothub/kit/clock';
import sql from 'sql-template-tag';
import { raiseAlarm } from '../chain-alarms.ts';
import { HOLDING_CODES } from '../verify/mismatch.ts';
import type { LogDatabase } from './compare-tree.ts';
import { storedFrontier } from './stored-frontier.ts';
import { TreeReader } from './tree-reader.ts';

interface TreeRow {
  readonly height: number;
  readonly hash: string;
  readonly frontier: Uint8Array | null;
  readonly last_tile: number | null;
  readonly alarms: number;
  readonly epoch: number | null;
  readonly origin: string | null;
  readonly vkeys: string | null;
  readonly signed_size: number | null;
  readonly signed_root: Uint8Array | null;
}

/** @param database of the writer: a standby may be behind what was signed */
export function logDatabase(database: DatabaseReader): LogDatabase {
  return {
    async readTree() {
      // One statement, so that all values are of one moment.
      const row = await database.first<TreeRow>(sql`
        select
          b.height, b.hash,
          (select h.frontier from head h where h.height = b.height and h.hash = b.hash) as frontier,
          (select max(tile) from log_tiles where level = 0) as last_tile,
          (select count(*) from chain_alarms
           where cleared_at is null and code in (${inList(HOLDING_CODES)})) as alarms,
          e.epoch, e.origin, e.vkeys, e.signed_size, e.signed_root
        from blocks b
        left join log_epochs e on e.ended_at is null
        order by b.height desc
        limit 1`);
      if (row === undefined) throw new Error('there is a hub without any block: restore a backup');
      const { height, hash, epoch, origin, vkeys, signed_size: size, signed_root: root } = row;
      const frontier = storedFrontier(height, row.frontier);
      const stored =
        epoch === null || origin === null || vkeys === null ? undefined : { epoch, origin, vkeys };
      const tiled = row.last_tile === null ? 0 : (row.last_tile + 1) * TILE_WIDTH;
      const noted =
        origin === null || size === null || root === null ? undefined : { origin, size, root };
      return { tip: { height, hash }, frontier, tiled, isAlarmed: row.alarms > 0, stored, noted };
    },
    // A new one each time: nothing that was read before may hide what is stored now.
    rootAt: (size) => new TreeReader({ database }).rootAt(size),
    async raiseAlarm({ height, code, message }) {
      const found_at = instantText(systemClock.nowMs());
      await database.all(raiseAlarm({ height, code, message, found_at }));
    },
    async noteSigned(epoch, { size, root }) {
      await database.all(sql`
        update log_epochs
        set signed_size = ${size}, signed_root = ${root}
        where epoch = ${epoch} and ended_at is null and coalesce(signed_size, 0) < ${size}`);
    },
  };
}
