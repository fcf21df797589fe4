// A hub on which a lot was decided about, for those who watch it: held by hand, and covered by a recall that was
// confidential first.
import assert from 'node:assert/strict';
import { parseCheckpoint } from '@lothub/chain/log';
import type { Booted } from '../boot.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { until } from '../witnessing/witnessed-hub.ts';

export const BRAND = 'mill';
/** Made of the lot that the recall begins with. */
export const WATCHED = 'LOAF-1';

/** What blocks say in turn, from the first one behind genesis on. */
export const DECIDED = [
  'RECEIVE of others',
  'PRODUCE of the watched lot',
  'hold of the watched lot',
  'hold of another',
  'brand',
  'recall, confidential',
  'recall, disclosed',
  'recall, moved',
] as const;

export function getDecidedHeight(what: (typeof DECIDED)[number]): number {
  return 1 + DECIDED.indexOf(what);
}

export async function decideOnLots(hub: Booted): Promise<{ readonly caseNo: string }> {
  const tenant = new RecallTenant(hub, BRAND);
  const hold = async (lotCode: string): Promise<void> => {
    const body = { reason: 'smells', by: 'Ada' };
    const { status, text } = await hub.post(`/v1/lots/${lotCode}/hold`, body, tenant.headers);
    assert.equal(status, 200, text);
  };
  await tenant.receive('FLOUR-1', 'OTHER-1');
  await tenant.produce(['FLOUR-1'], [WATCHED]);
  await hold(WATCHED);
  await hold('OTHER-1');
  await new TestBrand(hub, BRAND).patch('/v1/brand', { name: 'Haverfield Mill' });
  const opened = await tenant.open('FLOUR-1', { confidential: true });
  const caseNo = String(opened['case_no']);
  const moved = await tenant.move(caseNo, 'notification', { changed_by: 'Ada' });
  assert.equal(moved.status, 200, moved.text);
  // What is decided is signed a moment after its answer.
  await until('the checkpoint', async () => {
    const { text } = await hub.call('/log/1/checkpoint');
    return parseCheckpoint(text).size > DECIDED.length;
  });
  return { caseNo };
}
