// Sets and ends holds of lots by hand: one block for up to a thousand lots, all in one transaction.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import sql, { join, type Sql } from 'sql-template-tag';
import { insertAuditEntries } from '../ledger/audit.ts';
import { decideOrStale } from '../ledger/decisions/decide-again.ts';
import { draftDecision, sealedHeight, type DecisionDraft } from '../ledger/decisions/draft.ts';
import { rowsOfDecision } from '../ledger/decisions/kinds.ts';
import { buildLotsCondition } from '../ledger/decisions/lots.ts';
import { MANUAL_HOLD, type NamedCaller, type Tip } from '../ledger/draft.ts';
import { LOTS_PER_BLOCK_MAX, type HoldDecision } from '../ledger/record/decisions/contents.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { notifyHeld } from '../ledger/webhooks/notify.ts';

export interface HoldsChange {
  readonly tenantId: string;
  /** Own lots. */
  readonly lotCodes: readonly string[];
  readonly state: HoldDecision['state'];
  /** Set for a release that ends the hold of a case; null for the hold by hand. */
  readonly caseNo: string | null;
  readonly reason: string | null;
  /** The person or key that decided it. */
  readonly caller: NamedCaller;
}

export interface HoldDeps {
  readonly store: Pick<LedgerStore, 'decide' | 'reader'>;
  readonly clock: Clock;
}

export interface ChangedHolds {
  /** Lots whose hold was set or ended. */
  readonly changed: number;
  /** The blocks of the change; none when nothing changed. */
  readonly blocks: readonly Tip[];
}

/**
 * A lot that is held or free already stays as it is, and no block names it.
 * @throws DatabaseError as the store's
 */
export async function changeHolds(
  { store, clock }: HoldDeps,
  change: HoldsChange,
): Promise<ChangedHolds> {
  const busy = 'others kept holding and releasing the same lots';
  return await repeatWhileStale({ busy }, async () => {
    const changing = await findChanging(store.reader, change);
    if (changing.length === 0) return { changed: 0, blocks: [] };
    const outcome = await decideOrStale(store, {
      guard: isAsFound(change, changing),
      ...buildDecisions(change, changing, instantText(clock.nowMs())),
    });
    if (outcome.kind === 'stale') return outcome.kind;
    return { changed: changing.length, blocks: outcome.blocks };
  });
}

/** Finds the codes of lots whose hold changes. */
async function findChanging(
  database: DatabaseReader,
  change: HoldsChange,
): Promise<readonly string[]> {
  const changing: string[] = [];
  for (const codes of cutSlices(change.lotCodes)) {
    const rows = await database.all<{ readonly lotCode: string; readonly held: number }>(sql`
      select l.lot_code as "lotCode",
        (
          select count(*)
          from lot_holds h
          where h.lot_no = l.lot_no and h.source = ${getSource(change)} and h.released_at is null
        ) as held
      from lots l
      where ${buildLotsCondition(change.tenantId, codes)}`);
    for (const { lotCode, held } of rows) {
      if (held > 0 === (change.state === 'released')) changing.push(lotCode);
    }
  }
  return changing.sort();
}

function getSource({ caseNo }: HoldsChange): string {
  return caseNo ?? MANUAL_HOLD;
}

/** A guard that returns a row if none of the lots was held or released meanwhile. */
function isAsFound(change: HoldsChange, changing: readonly string[]): Sql {
  const held = [...cutSlices(changing)].map(
    (codes) => sql`(
      select count(*)
      from lots l
      join lot_holds h on h.lot_no = l.lot_no
      where ${buildLotsCondition(change.tenantId, codes)}
        and h.source = ${getSource(change)} and h.released_at is null
    )`,
  );
  const expected = change.state === 'held' ? 0 : changing.length;
  return sql`
    select id
    from head
    where id = 1 and ${join(held, ' + ')} = ${expected}`;
}

function buildDecisions(
  change: HoldsChange,
  changing: readonly string[],
  at: string,
): { readonly decisions: readonly DecisionDraft[]; readonly statements: readonly Sql[] } {
  const { tenantId: brand, state, caseNo, reason, caller } = change;
  const by = caller.person;
  const contents = [...cutSlices(changing, LOTS_PER_BLOCK_MAX)].map((lots) => ({
    at,
    ...(caseNo === null ? {} : { case_no: caseNo }),
    lots,
    state,
  }));
  const opened = { by, ...(reason === null ? {} : { reason }) };
  const messages =
    state === 'held'
      ? [notifyHeld({ brand, at, blockHeight: sealedHeight(0), caseNo: null }, changing)]
      : [];
  return {
    decisions: contents.map((content) =>
      draftDecision({ brand, type: 'hold', content }, { by, reason }),
    ),
    statements: [
      ...contents.flatMap((decision, index) => [
        ...rowsOfDecision('hold', { height: sealedHeight(index), brand, decision, opened }),
        ...insertAuditEntries(
          decision.lots.map((lotCode) => ({
            at,
            tenantId: brand,
            caller,
            action: state === 'held' ? 'hold_lot' : 'release_lot',
            entityType: 'lot',
            entityId: lotCode,
            blockHeight: sealedHeight(index),
            details: { source: getSource(change), reason },
          })),
        ),
      ]),
      ...messages,
    ],
  };
}
