// Codes and ids that no new event may have. Earlier versions took them, so an event of which one is
// stored already may be posted again: it is answered as the replay, or the conflict, that it is.
import { FIELD_ERRORS_MAX } from '@lothub/kit/http/field-errors';
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { findTenant } from '../lots/queries.ts';
import type { Prepared } from './prepare.ts';
import { blocksOfExternalIds } from './external-ids.ts';

/** The same events; those that are unfit are invalid unless the tenant has used their external id. */
export async function withoutUnfit(
  prepared: readonly Prepared[],
  tenant: { readonly database: DatabaseReader; readonly tenantId: string },
): Promise<readonly Prepared[]> {
  const unfit = prepared.flatMap((one) =>
    one.kind === 'ready' && one.unfit.length > 0 ? [one.draft] : [],
  );
  if (unfit.length === 0) return prepared;
  const used = await usedAmong(
    tenant,
    unfit.flatMap(({ externalId }) => externalId ?? []),
  );
  let left = FIELD_ERRORS_MAX;
  return prepared.map((one): Prepared => {
    if (one.kind === 'invalid' || one.unfit.length === 0) return one;
    const { externalId } = one.draft;
    if (externalId !== null && used.has(externalId)) return one;
    // As in a batch of wrong shapes, all errors are named up to the limit, and then one of each
    // event.
    const errors = one.unfit.slice(0, Math.max(1, left));
    left -= errors.length;
    return { kind: 'invalid', errors };
  });
}

async function usedAmong(
  { database, tenantId }: { readonly database: DatabaseReader; readonly tenantId: string },
  externalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  const tenant = await findTenant(database, tenantId);
  if (tenant === undefined) return used;
  for await (const slice of slicesInTurns(externalIds)) {
    const rows = await blocksOfExternalIds(database, {
      tenantNo: tenant.tenantNo,
      externalIds: slice,
    });
    for (const { externalId } of rows) used.add(externalId);
  }
  return used;
}
