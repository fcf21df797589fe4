// The upgrade of a database that an older version wrote, at the first start of a newer one: how far it has
// come, and who wants to know.

/**
 * `schema`: tables are being changed, and nothing is read of them. `rows`: the schema is this version's,
 * and rows that are derived from others are made anew. `decisions`: what people decided before is recorded
 * in the way of this version. `place` is undefined while another process may be doing it.
 */
export type UpgradeProgress =
  | { readonly step: 'schema' }
  | {
      readonly step: 'rows' | 'decisions';
      readonly place: { readonly done: number; readonly total: number } | undefined;
    };

/** What whoever opens a database may want of its upgrade. */
export interface UpgradeOptions {
  /** Called as the upgrade goes on; never when the database needs none. */
  readonly onUpgrade?: ((progress: UpgradeProgress) => void) | undefined;
  /** Ends an upgrade, and whatever else the opening waits for; the database is as it was then. */
  readonly signal?: AbortSignal | undefined;
}

/** Of an upgrade that has not ended. */
const PERCENT_MAX = 99;

/** @returns whole percent, below 100; null when only another process knows */
export function percentOf(progress: UpgradeProgress): number | null {
  if (progress.step === 'schema') return 0;
  if (progress.place === undefined) return null;
  const { done, total } = progress.place;
  return Math.min(PERCENT_MAX, Math.floor((100 * done) / Math.max(1, total)));
}
