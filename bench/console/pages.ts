// The pages of the console that are measured: one line each, with addresses made from the data.
import { formatStep } from '@lothub/traceability/console/genealogy/steps';
import { HOLD_BREACHES, isListedCheck } from '@lothub/traceability/console/today/checks';
import { CHECK_CODES } from '@lothub/traceability/dashboard/compliance';
import { TENANT } from '../kit/hub.ts';

/** What there is to look at on the generated hub. */
export interface Given {
  /** Codes of ordinary lots. */
  readonly lotCodes: readonly string[];
  /** A lot that thousands were made of. */
  readonly wideLotCode: string;
  readonly eventIds: readonly number[];
  readonly caseNo: string;
  readonly notificationIds: readonly string[];
  readonly drillId: string;
  readonly sku: string;
  readonly location: string;
  readonly importId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

export interface MeasuredPage {
  readonly name: string;
  /** Asked for in turn. */
  readonly paths: readonly string[];
  /** Without a session. */
  readonly isOfStrangers?: true;
}

const BRAND = `/console/b/${TENANT}`;

function lotPath(lotCode: string): string {
  return `${BRAND}/lots/${encodeURIComponent(lotCode)}`;
}

/** The pages, and what their scripts fetch while somebody types or opens. */
export function listPages(given: Given): readonly MeasuredPage[] {
  return [...pagesOfDay(), ...pagesOfLots(given), ...pagesOfRecalls(given), ...otherPages(given)];
}

function pagesOfDay(): readonly MeasuredPage[] {
  const checks = CHECK_CODES.filter(isListedCheck).map((code) => ({
    name: `check: ${code}`,
    paths: [`${BRAND}/checks/${code}`],
  }));
  return [
    { name: 'log-in', paths: ['/console/login'], isOfStrangers: true },
    { name: 'choice of brand', paths: ['/console'] },
    { name: 'today', paths: [BRAND] },
    ...checks,
    { name: `check: ${HOLD_BREACHES}`, paths: [`${BRAND}/checks/${HOLD_BREACHES}`] },
    { name: 'help', paths: [`${BRAND}/help`] },
  ];
}

function pagesOfLots({ lotCodes, wideLotCode, eventIds }: Given): readonly MeasuredPage[] {
  const found = new URLSearchParams({ q: lotCodes[1] ?? '' }).toString();
  const ofGenealogy = (lotCode: string, what: string, query: Record<string, string>): string =>
    `${lotPath(lotCode)}/genealogy/${what}?${new URLSearchParams(query).toString()}`;
  const down = (code: string): string => formatStep({ kind: 'side', side: 'down', code });
  return [
    { name: 'lots', paths: [`${BRAND}/lots`, `${BRAND}/lots?offset=1000`] },
    { name: 'lots: search', paths: [`${BRAND}/lots?${found}`] },
    { name: 'lots: rows while typing', paths: [`${BRAND}/lots.rows?${found}`] },
    { name: 'lot', paths: lotCodes.map(lotPath) },
    { name: 'lot with thousands of descendants', paths: [lotPath(wideLotCode)] },
    { name: 'labels', paths: lotCodes.map((code) => `${lotPath(code)}/labels`) },
    { name: 'genealogy', paths: lotCodes.map((code) => `${lotPath(code)}/genealogy`) },
    { name: 'genealogy, wide', paths: [`${lotPath(wideLotCode)}/genealogy`] },
    {
      name: 'genealogy: neighbours',
      paths: lotCodes.map((code) => ofGenealogy(code, 'neighbours', { step: down(code) })),
    },
    {
      name: 'genealogy: search, wide',
      paths: [ofGenealogy(wideLotCode, 'search', { q: lotCodes[1] ?? '' })],
    },
    { name: 'event', paths: eventIds.map((id) => `${BRAND}/events/${id}`) },
    { name: 'event: correct', paths: eventIds.map((id) => `${BRAND}/events/${id}/correct`) },
  ];
}

function pagesOfRecalls(given: Given): readonly MeasuredPage[] {
  const { lotCodes, caseNo, notificationIds, drillId } = given;
  const [lotCode = ''] = lotCodes;
  const seed = new URLSearchParams({ lot_code: lotCode, direction: 'downstream' }).toString();
  const path = `${BRAND}/recalls/${caseNo}`;
  return [
    { name: 'recalls', paths: [`${BRAND}/recalls`] },
    { name: 'recalls of suppliers', paths: [`${BRAND}/recalls/inbound`] },
    { name: 'case', paths: [path] },
    { name: 'case: scope', paths: [`${path}/scope`] },
    { name: 'case: notifications', paths: [`${path}/notifications`] },
    {
      name: 'case: a notification',
      paths: notificationIds.map((id) => `${path}/notifications/${id}`),
    },
    { name: 'case: timeline', paths: [`${path}/timeline`] },
    { name: 'case: edit', paths: [`${path}/edit`] },
    { name: 'case: report', paths: [`${path}/report`] },
    { name: 'simulation', paths: [`${BRAND}/simulation`] },
    { name: 'simulation: result', paths: [`${BRAND}/simulation?${seed}`] },
    { name: 'simulation: opening', paths: [`${BRAND}/simulation/open?${seed}`] },
    { name: 'drills', paths: [`${BRAND}/drills`] },
    { name: 'drill', paths: [`${BRAND}/drills/${drillId}`] },
  ];
}

function otherPages(given: Given): readonly MeasuredPage[] {
  const { importId, webhookId, deliveryId } = given;
  const [sku, location] = [given.sku, given.location].map(encodeURIComponent);
  const webhook = `${BRAND}/webhooks/${webhookId}`;
  return [
    { name: 'imports', paths: [`${BRAND}/imports`] },
    { name: 'imports: with errors', paths: [`${BRAND}/imports?state=with_errors`] },
    { name: 'import', paths: [`${BRAND}/imports/${importId}`] },
    { name: 'record', paths: [`${BRAND}/record`] },
    { name: 'profile', paths: [`${BRAND}/profile`] },
    { name: 'products', paths: [`${BRAND}/products`] },
    { name: 'product', paths: [`${BRAND}/products/${sku}`] },
    { name: 'places', paths: [`${BRAND}/places`] },
    { name: 'place', paths: [`${BRAND}/places/${location}`] },
    { name: 'suppliers', paths: [`${BRAND}/suppliers`] },
    { name: 'audit', paths: [`${BRAND}/audit`] },
    { name: 'webhooks', paths: [`${BRAND}/webhooks`] },
    { name: 'webhook', paths: [webhook] },
    { name: 'delivery', paths: [`${webhook}/deliveries/${deliveryId}`] },
    { name: 'privacy', paths: [`${BRAND}/privacy`] },
    { name: 'people', paths: [`${BRAND}/people`] },
    { name: 'keys', paths: [`${BRAND}/keys`] },
    { name: 'own account', paths: ['/console/me'] },
    { name: 'hub: brands', paths: ['/console/hub'] },
    { name: 'hub: state', paths: ['/console/hub/state'] },
    { name: 'hub: keys', paths: ['/console/hub/keys'] },
    { name: 'hub: help', paths: ['/console/hub/help'] },
    { name: 'hub: operators', paths: ['/console/hub/people'] },
  ];
}
