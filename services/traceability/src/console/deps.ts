// What the pages of the console need.
import type { People } from '@lothub/people/people';
import type { Clock } from '@lothub/kit/clock';
import type { EventCounts } from '../dashboard/event-counts.ts';
import type { KeptChecks } from '../dashboard/kept-checks.ts';
import type { LedgerChecks } from '../dashboard/summary.ts';
import type { Turns } from '../csv-import/turns.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { ClockWatch } from '../ledger/clock-watch.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LogAnswers } from '../log/answers.ts';
import type { PublicLog } from '../log/public-log.ts';
import type { LotWays } from '../lots/genealogy/ways.ts';
import type { Notices } from '../lots/notices/notices.ts';
import type { OneAfterAnother } from '../recall/outbox/one-after-another.ts';
import type { TimeStamper } from '../timestamps/time-stamper.ts';
import type { Surroundings } from '../verification/surroundings.ts';
import type { WitnessWatch } from '../witnessing/standing.ts';
import type { AddressRules } from '@lothub/delivery/sending/address-rules';
import type { Inbox } from '../webhooks/inbox.ts';
import type { GateDeps } from './gate.ts';

export interface ConsoleDeps extends GateDeps {
  readonly people: People;
  readonly reader: LedgerReader;
  readonly store: LedgerStore;
  readonly state: ChainState;
  /** The keys of this process in memory: a change by a page is loaded at once. */
  readonly keys: Pick<KeyRing, 'refresh' | 'shared'>;
  readonly clock: Clock;
  /** Of the hub, without a slash at the end. */
  readonly publicUrl: string;
  readonly notices: Notices;
  /** Turns within this process for changes of the notifications of one case. */
  readonly notificationTurns: OneAfterAnother;
  readonly surroundings: Surroundings;
  readonly ways: LotWays;
  readonly log: PublicLog;
  readonly logAnswers: LogAnswers;
  readonly witnesses: WitnessWatch;
  readonly clockWatch: ClockWatch;
  /** Undefined where no authority of time stamps is set. */
  readonly stamper: TimeStamper | undefined;
  /** Results of the checks of the dashboard, shared with it. */
  readonly kept: KeptChecks<LedgerChecks>;
  readonly eventCounts: EventCounts;
  /** The folder of uploaded files while they are imported. */
  readonly importDir: string;
  /** Rules for the addresses of webhooks. */
  readonly addresses: AddressRules;
  /** The inbox that the same process serves; undefined: it serves none. */
  readonly inbox: Inbox | undefined;
  /** Shared in this process: the API imports, too. */
  readonly importTurns: Turns;
}
