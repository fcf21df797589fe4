// Messages to the receivers of a brand: rows of the outbox, written in the transaction of the
// change that they report. A brand without a webhook gets no row; then each of these statements
// reads one entry of an index. No private value leaves the house: no customer, no reason and no
// name of a person. A message about a confidential case contains only what its block on the public
// chain contains.
import { newId } from '@lothub/kit/secrets/ids';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { SealedHeight } from '../decisions/draft.ts';
import { isHidden } from '../decisions/hidden-cases.ts';
import type { WebhookEvent } from './event-types.ts';

/**
 * Maximum number of lot codes in one message, which stays small: the page that it links to lists
 * all of them.
 */
export const LOTS_NAMED_MAX = 20;

export interface WebhookMessage {
  /** Tenant id; null: each brand gets the message. */
  readonly brand: string | null;
  readonly type: WebhookEvent;
  /** When it happened. */
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The block that says it; null: none does. */
  readonly blockHeight: number | SealedHeight | null;
  /**
   * An id that is the same for the same thing, where it may be written twice; a new one when not
   * given.
   */
  readonly key?: string;
  /**
   * A condition on webhooks `w`, read at the place of the statement in its transaction; undefined:
   * no condition.
   */
  readonly condition?: Sql;
}

/**
 * Inserts one row for each active webhook of this type. A webhook that is deleted at the same
 * moment may keep the row; it is never sent, and is deleted after its time.
 */
export function notifyWebhooks(message: WebhookMessage): Sql {
  const { brand, type, at, data, blockHeight, key = newId('evt'), condition } = message;
  const atMs = Date.parse(at);
  const ofBrand = brand === null ? sql`1 = 1` : sql`w.tenant_id = ${brand}`;
  return sql`
    insert into webhook_deliveries (
      id, webhook_id, event_type, at, data, block_height, status, due_at, created_at
    )
    select 'msg_' || cast(${key} as text) || '_' || w.id, w.id, cast(${type} as text),
      cast(${at} as text), cast(${JSON.stringify(data)} as text),
      cast(${blockHeight} as bigint), 'pending', cast(${atMs} as bigint), cast(${atMs} as bigint)
    from webhooks w
    where ${ofBrand} and w.status = 'active' and w.event_types like ${`% ${type} %`}
      and ${condition ?? sql`1 = 1`}
    on conflict (id) do nothing`;
}

/** The values of the case's header. */
export interface NotifiedCase {
  readonly caseNo: string;
  readonly title: string;
  readonly severity: string;
  readonly autoHold: 0 | 1;
  readonly confidential: 0 | 1;
  readonly notifiedAt: string | null;
}

export interface NotifiedStep {
  readonly brand: string;
  readonly recallCase: NotifiedCase;
  readonly at: string;
  readonly blockHeight: number | SealedHeight;
}

/** A case was opened, with codes of the lots that it covers. */
export function notifyOpened(step: NotifiedStep, lotCodes: readonly string[]): readonly Sql[] {
  const { recallCase } = step;
  const lots = isHidden(recallCase) ? {} : { lots: lotCodes.length };
  return [notifyCase(step, 'recall.opened', lots), ...notifyHeldByCase(step, lotCodes)];
}

/** A case moved. If the move ends its confidentiality, the message is that of a public case. */
export function notifyMoved(
  step: NotifiedStep,
  move: { readonly from: string; readonly to: string; readonly isDisclosed: boolean },
): Sql {
  const { recallCase } = step;
  const isOpen = move.isDisclosed || !isHidden(recallCase);
  const confidential = isOpen ? 0 : recallCase.confidential;
  const states = isOpen ? { from: move.from, to: move.to } : {};
  return notifyCase(
    { ...step, recallCase: { ...recallCase, confidential } },
    'recall.moved',
    states,
  );
}

function notifyCase(
  { brand, recallCase, at, blockHeight }: NotifiedStep,
  type: 'recall.opened' | 'recall.moved',
  more: Readonly<Record<string, unknown>>,
): Sql {
  const { caseNo, title, severity } = recallCase;
  const data = isHidden(recallCase)
    ? { case_no: caseNo, confidential: true, ...more }
    : { case_no: caseNo, confidential: false, title, severity, ...more };
  return notifyWebhooks({ brand, type, at, data, blockHeight });
}

/**
 * Lots that a case holds automatically. A confidential case sends neither their codes nor their
 * number.
 */
export function notifyHeldByCase(step: NotifiedStep, lotCodes: readonly string[]): readonly Sql[] {
  const { brand, recallCase, at, blockHeight } = step;
  if (recallCase.autoHold === 0 || lotCodes.length === 0 || isHidden(recallCase)) return [];
  return [notifyHeld({ brand, at, blockHeight, caseNo: recallCase.caseNo }, lotCodes)];
}

/** @param held.caseNo null: by hand. The reason of a hold by hand is a private value. */
export function notifyHeld(
  held: Pick<NotifiedStep, 'brand' | 'at' | 'blockHeight'> & { readonly caseNo: string | null },
  lotCodes: readonly string[],
): Sql {
  const { brand, at, blockHeight, caseNo } = held;
  const data = {
    lots: lotCodes.slice(0, LOTS_NAMED_MAX),
    lots_total: lotCodes.length,
    case_no: caseNo,
  };
  return notifyWebhooks({ brand, type: 'lot.held', at, data, blockHeight });
}

/**
 * An import that failed, stopped in the middle, or left rows out. The name of its file and the
 * faults of its rows stay in the house.
 * @param failed.state the state in the list of imports after the other statements of the
 * transaction; if it is another one, no message is written
 */
export function importFailed(failed: {
  readonly brand: string;
  readonly importId: string;
  readonly at: string;
  readonly state: 'failed' | 'stopped' | 'imported';
  readonly rows: number | null;
  readonly rejected: number | null;
}): Sql {
  const { brand, importId, at, state, rows, rejected } = failed;
  return notifyWebhooks({
    ...{ brand, type: 'import.failed', at, blockHeight: null },
    data: { import_id: importId, state, rows, rejected },
    key: `import-${importId}-${Date.parse(at)}`,
    condition: sql`
      exists (select 1 from imports i where i.import_id = ${importId} and i.state = ${state})`,
  });
}
