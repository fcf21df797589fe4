// Lists the rows that a group commit will need, before it begins, so that all of them are read in
// one round trip. Pure.
import { eventOfDraft } from '../append/draft-event.ts';
import type { HeadJob } from '../append/jobs.ts';
import type { ChainEvent } from '../record/payload.ts';
import { accountKey } from '../record/quantities.ts';

/** A lot that is named, and how many of its accounts are moved. */
export interface NeededLot {
  readonly tenantId: string;
  readonly lotCode: string;
  accounts: number;
}

export interface NeededAccount {
  readonly tenantId: string;
  readonly lotCode: string;
  readonly productSku: string;
  readonly unit: string;
}

export interface NeededKey {
  readonly tenantId: string;
  readonly key: string;
}

export class GroupNeeds {
  readonly tenantIds = new Set<string>();
  readonly externalIds: NeededKey[] = [];
  readonly groupKeys: NeededKey[] = [];
  /** Heights of events that are corrected. */
  readonly targets = new Set<number>();
  readonly #lots = new Map<string, NeededLot>();
  readonly #accounts = new Map<string, NeededAccount>();

  get lots(): readonly NeededLot[] {
    return [...this.#lots.values()];
  }

  get accounts(): readonly NeededAccount[] {
    return [...this.#accounts.values()];
  }

  addEvent(tenantId: string, event: Pick<ChainEvent, 'lines'>): void {
    this.tenantIds.add(tenantId);
    for (const { lot_code: lotCode, product_sku: productSku, unit } of event.lines) {
      const lot = this.addLot(tenantId, lotCode);
      // A code may hold any character, so the key has its length, which marks its end.
      const key = `${tenantId} ${lotCode.length} ${lotCode} ${accountKey(productSku, unit)}`;
      if (this.#accounts.has(key)) continue;
      this.#accounts.set(key, { tenantId, lotCode, productSku, unit });
      lot.accounts += 1;
    }
  }

  addLot(tenantId: string, lotCode: string): NeededLot {
    const key = `${tenantId} ${lotCode}`;
    let lot = this.#lots.get(key);
    if (lot === undefined) {
      lot = { tenantId, lotCode, accounts: 0 };
      this.#lots.set(key, lot);
    }
    return lot;
  }
}

export function listNeeds(jobs: readonly HeadJob[]): GroupNeeds {
  const needs = new GroupNeeds();
  for (const job of jobs) {
    switch (job.kind) {
      case 'append': {
        const { tenantId, drafts } = job.submission;
        for (const draft of drafts) {
          needs.addEvent(tenantId, eventOfDraft(draft));
          const { externalId, groupKey } = draft;
          if (externalId !== null) needs.externalIds.push({ tenantId, key: externalId });
          else if (groupKey !== null) needs.groupKeys.push({ tenantId, key: groupKey });
        }
        break;
      }
      case 'correct': {
        const { tenantId, corrections } = job.submission;
        needs.tenantIds.add(tenantId);
        for (const { correctsHeight, externalId } of corrections) {
          needs.targets.add(correctsHeight);
          if (externalId !== null) needs.externalIds.push({ tenantId, key: externalId });
        }
        break;
      }
    }
  }
  return needs;
}
