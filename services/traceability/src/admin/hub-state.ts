// The state of the hub for its operators: how much each brand records, the progress of the
// verifier, the log, its witnesses and the time stamps, and which keys were refused. It contains
// nothing that is private to a brand.
import { instantText, type Clock } from '@lothub/kit/clock';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { KeyRing } from '../keys/key-ring.ts';
import type { SharedKey } from '../keys/shared-keys.ts';
import { newestAuditEntries, type AuditRow } from '../ledger/audit-reader.ts';
import { chainSummary, type ChainSummary } from '../ledger/chain-summary.ts';
import { readOpenClockAlarms, type ClockAlarm } from '../ledger/clock-alarms.ts';
import type { SignedLog } from '../ledger/log/signed-log.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { lastHeightBefore, readRecordedTimes } from '../ledger/recorded-at.ts';
import type { ChainState, Mismatch } from '../ledger/verify/chain-state.ts';
import type { TimeStamper } from '../timestamps/time-stamper.ts';
import type { WitnessedStanding, WitnessWatch } from '../witnessing/standing.ts';
import { throughputAfter } from './queries.ts';

/** Events of a tenant that are counted; a page has up to TENANTS_PER_PAGE of them. */
const EVENTS_COUNTED_MAX = 1_000;
const TENANTS_PER_PAGE = 25;
/** Entries of the audit among which refused keys are looked for: some milliseconds. */
const ENTRIES_LOOKED_AT = 1_000;
const REFUSED_SHOWN = 10;
const MS_PER_DAY = 24 * 3_600_000;
const TOP = Number.MAX_SAFE_INTEGER;

export interface HubStateDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly clock: Clock;
  readonly keys: Pick<KeyRing, 'shared'>;
  readonly log: Pick<SignedLog, 'state' | 'identity' | 'last'>;
  readonly witnesses: Pick<WitnessWatch, 'read'>;
  /** Undefined when no service is set. */
  readonly stamper: Pick<TimeStamper, 'newest' | 'failures'> | undefined;
}

export interface Throughput {
  readonly brand: string;
  /** The public name; undefined when none is set. */
  readonly name: string | undefined;
  readonly events: number;
  /** Number of events of the last 24 hours. */
  readonly recent: { readonly count: number; readonly isExact: boolean };
  readonly lastEventAt: string | undefined;
}

export interface HubState {
  readonly nowMs: number;
  readonly brands: readonly Throughput[];
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
  readonly chain: ChainSummary;
  readonly firstBadHeight: number | null;
  /** Blocks of the last 24 hours. */
  readonly recentBlocks: number;
  readonly lastRoundMs: number | undefined;
  /** Findings that no operator has cleared, the lowest first. */
  readonly alarms: readonly Mismatch[];
  readonly clockAlarms: readonly ClockAlarm[];
  readonly sharedKeys: readonly SharedKey[];
  /** The newest ones, among the newest entries of the audit. */
  readonly refused: readonly AuditRow[];
  readonly log: {
    readonly state: SignedLog['state'];
    readonly origin: string | undefined;
    /** Blocks of the tree that was signed last. */
    readonly size: number | undefined;
    /** When the newest block under it was recorded. */
    readonly signedThroughAt: string | undefined;
  };
  readonly witnesses: WitnessedStanding;
  readonly timeStamp:
    | {
        readonly at: string | undefined;
        readonly size: number | undefined;
        readonly failures: number;
      }
    | undefined;
}

export async function readHubState(
  deps: HubStateDeps,
  { after }: { readonly after: string },
): Promise<HubState> {
  const { reader, state, clock, stamper } = deps;
  const { database } = reader;
  const nowMs = clock.nowMs();
  const head = await reader.head();
  const dayAgo = await lastHeightBefore(database, {
    moment: instantText(nowMs - MS_PER_DAY),
    headHeight: head.height,
  });
  // One more than is shown, to see whether there are more.
  const page = { after, limit: TENANTS_PER_PAGE + 1, above: dayAgo };
  const rows = await throughputAfter(database, { ...page, countLimit: EVENTS_COUNTED_MAX + 1 });
  const { rows: shown, last } = cutPage(rows, TENANTS_PER_PAGE);
  const size = deps.log.last?.size;
  const heights = shown.flatMap(({ lastEventHeight }) => lastEventHeight ?? []);
  const moments = await readRecordedTimes(database, [
    ...heights,
    ...(size === undefined ? [] : [size - 1]),
  ]);
  return {
    nowMs,
    brands: shown.map((row) => ({
      brand: row.tenantId,
      name: row.brandName ?? undefined,
      events: row.events,
      recent: {
        count: Math.min(row.recentEvents, EVENTS_COUNTED_MAX),
        isExact: row.recentEvents <= EVENTS_COUNTED_MAX,
      },
      lastEventAt: row.lastEventHeight === null ? undefined : moments.get(row.lastEventHeight),
    })),
    next: last?.tenantId ?? null,
    chain: await chainSummary(deps, head),
    firstBadHeight: state.condition.firstBadHeight,
    recentBlocks: head.height - dayAgo,
    lastRoundMs: state.lastRoundMs,
    alarms: state.open.toSorted((a, b) => a.height - b.height),
    clockAlarms: await readOpenClockAlarms(database),
    sharedKeys: deps.keys.shared,
    refused: await readRefused(reader),
    log: {
      state: deps.log.state,
      origin: deps.log.identity?.origin,
      size,
      signedThroughAt: size === undefined ? undefined : moments.get(size - 1),
    },
    witnesses: await deps.witnesses.read(),
    timeStamp: stamper && {
      at: stamper.newest?.stamped_at,
      size: stamper.newest?.size,
      failures: stamper.failures,
    },
  };
}

async function readRefused({ database }: LedgerReader): Promise<readonly AuditRow[]> {
  const entries = await newestAuditEntries(database, {
    tenantId: undefined,
    action: undefined,
    entityId: undefined,
    before: TOP,
    limit: ENTRIES_LOOKED_AT,
  });
  return entries.filter(({ action }) => action === 'refuse_key').slice(0, REFUSED_SHOWN);
}
