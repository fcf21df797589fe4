// The upgrade of a database that an older version wrote, at the first start of a newer one: its steps, and the
// options of callers.

/**
 * `schema`: tables are being changed, and nothing is read of them. `rows`: the schema is this version's,
 * and derived rows are computed again. `decisions`: earlier decisions of people are recorded
 * in the form of this version. `place` is undefined while another process may be doing it.
 */
export type UpgradeProgress =
  | { readonly step: 'schema' }
  | {
      readonly step: 'rows' | 'decisions';
      readonly place: { readonly done: number; readonly total: number } | undefined;
    };

/** Options of an upgrade, for the caller that opens a database. */
export interface UpgradeOptions {
  /** Called with the progress of the upgrade; never when the database needs none. */
  readonly onUpgrade?: ((progress: UpgradeProgress) => void) | undefined;
  /** Cancels the opening and its upgrade; the database stays as it was. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum for an upgrade that has not ended. */
const PERCENT_MAX = 99;

/** @returns whole percent, below 100; null when only another process knows */
export function toPercent(progress: UpgradeProgress): number | null {
  if (progress.step === 'schema') return 0;
  if (progress.place === undefined) return null;
  const { done, total } = progress.place;
  return Math.min(PERCENT_MAX, Math.floor((100 * done) / Math.max(1, total)));
}
