// The pages of the console that are measured: one line each, with addresses made from the data.
import { TENANT } from '../kit/hub.ts';

/** What there is to look at on the generated hub. */
export interface Given {
  /** Codes of ordinary lots. */
  readonly lotCodes: readonly string[];
  /** A lot that thousands were made of. */
  readonly wideLotCode: string;
  readonly eventIds: readonly number[];
  readonly caseNo: string;
  readonly drillId: string;
}

export interface MeasuredPage {
  readonly name: string;
  /** Asked for in turn. */
  readonly paths: readonly string[];
}

const BRAND = `/console/b/${TENANT}`;

function lotPath(lotCode: string): string {
  return `${BRAND}/lots/${encodeURIComponent(lotCode)}`;
}

export function pagesOf(given: Given): readonly MeasuredPage[] {
  const { lotCodes, wideLotCode, eventIds, caseNo, drillId } = given;
  const seed = new URLSearchParams({ lot_code: lotCodes[0] ?? '', direction: 'downstream' });
  const found = new URLSearchParams({ q: lotCodes[1] ?? '' });
  return [
    { name: 'today', paths: [BRAND] },
    { name: 'check: recorded late', paths: [`${BRAND}/checks/recorded_in_time`] },
    { name: 'check: moved on hold', paths: [`${BRAND}/checks/hold_breaches`] },
    { name: 'help', paths: [`${BRAND}/help`] },
    { name: 'lots', paths: [`${BRAND}/lots`, `${BRAND}/lots?offset=1000`] },
    { name: 'lots: search', paths: [`${BRAND}/lots?${found.toString()}`] },
    { name: 'lot', paths: lotCodes.map(lotPath) },
    { name: 'lot with thousands of descendants', paths: [lotPath(wideLotCode)] },
    { name: 'labels', paths: lotCodes.map((code) => `${lotPath(code)}/labels`) },
    { name: 'genealogy', paths: lotCodes.map((code) => `${lotPath(code)}/genealogy`) },
    { name: 'genealogy, wide', paths: [`${lotPath(wideLotCode)}/genealogy`] },
    { name: 'event', paths: eventIds.map((id) => `${BRAND}/events/${id}`) },
    { name: 'event: correct', paths: eventIds.map((id) => `${BRAND}/events/${id}/correct`) },
    { name: 'recalls', paths: [`${BRAND}/recalls`] },
    { name: 'recalls of suppliers', paths: [`${BRAND}/recalls/inbound`] },
    { name: 'case', paths: [`${BRAND}/recalls/${caseNo}`] },
    { name: 'case: scope', paths: [`${BRAND}/recalls/${caseNo}/scope`] },
    { name: 'case: notifications', paths: [`${BRAND}/recalls/${caseNo}/notifications`] },
    { name: 'case: timeline', paths: [`${BRAND}/recalls/${caseNo}/timeline`] },
    { name: 'simulation', paths: [`${BRAND}/simulation`] },
    { name: 'simulation: result', paths: [`${BRAND}/simulation?${seed.toString()}`] },
    { name: 'drills', paths: [`${BRAND}/drills`] },
    { name: 'drill', paths: [`${BRAND}/drills/${drillId}`] },
    { name: 'imports', paths: [`${BRAND}/imports`] },
    { name: 'record', paths: [`${BRAND}/record`] },
    { name: 'profile', paths: [`${BRAND}/profile`] },
    { name: 'products', paths: [`${BRAND}/products`] },
    { name: 'places', paths: [`${BRAND}/places`] },
    { name: 'suppliers', paths: [`${BRAND}/suppliers`] },
    { name: 'audit', paths: [`${BRAND}/audit`] },
    { name: 'webhooks', paths: [`${BRAND}/webhooks`] },
    { name: 'people', paths: [`${BRAND}/people`] },
    { name: 'keys', paths: [`${BRAND}/keys`] },
    { name: 'own account', paths: ['/console/me'] },
    { name: 'hub: brands', paths: ['/console/hub'] },
    { name: 'hub: state', paths: ['/console/hub/state'] },
    { name: 'hub: operators', paths: ['/console/hub/people'] },
  ];
}
