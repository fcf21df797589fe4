// What is sent: `{type, timestamp, data}` as the Standard Webhooks specification names it, small, with links to the
// page of the console and, where anybody can read of it, to the public page.
import { brandPath, casePagePath, eventPagePath } from '../console/paths.ts';
import type { SentEvent } from '../ledger/webhooks/event-types.ts';
import { blockPath } from '../web/fragments.ts';
import { recallPath } from '../web/notice.ts';

export interface SentRow {
  readonly brand: string;
  readonly eventType: SentEvent;
  readonly at: string;
  /** JSON, as it was written together with the change. */
  readonly data: string;
  readonly blockHeight: number | null;
}

export interface SentLinks {
  /** For the people of the brand. */
  readonly console: string;
  /** For anybody. */
  readonly public?: string;
}

/** @param publicUrl of the hub, without a slash at the end */
export function payloadText(row: SentRow, publicUrl: string): string {
  const { brand, eventType: type, at: timestamp, blockHeight } = row;
  const { console: forBrand, public: forAll } = buildLinks(row);
  const links = {
    console: publicUrl + forBrand,
    ...(forAll === undefined ? {} : { public: publicUrl + forAll }),
  };
  const block = blockHeight === null ? {} : { block_height: blockHeight };
  return JSON.stringify({ type, timestamp, data: { brand, ...parseData(row), ...block, links } });
}

export type SentData = Readonly<Partial<Record<string, unknown>>>;

/** @throws Error when what is stored is no object */
export function parseData({ data }: Pick<SentRow, 'data'>): SentData {
  const parsed: unknown = JSON.parse(data);
  if (typeof parsed !== 'object' || parsed === null) {
    throw new Error('the data of a webhook message is no object');
  }
  return { ...parsed };
}

/** Paths of the hub. */
export function buildLinks(row: SentRow): SentLinks {
  const { brand, eventType, blockHeight } = row;
  const data = parseData(row);
  const caseNo = textIn(data, 'case_no');
  const block = blockHeight === null ? {} : { public: blockPath(blockHeight) };
  switch (eventType) {
    case 'recall.opened':
    case 'recall.moved':
      return {
        console: casePagePath(brand, caseNo),
        ...(data['confidential'] === true ? {} : { public: recallPath(caseNo) }),
      };
    case 'recall.inbound':
      return { console: `${brandPath(brand, 'recalls')}/inbound`, public: recallPath(caseNo) };
    case 'lot.held':
      return caseNo === ''
        ? { console: `${brandPath(brand, 'lots')}?hold_status=on_hold`, ...block }
        : { console: casePagePath(brand, caseNo), ...block };
    case 'hold.breached':
      return { console: eventPagePath(brand, String(blockHeight)), ...block };
    case 'import.failed':
      return { console: `${brandPath(brand, 'imports')}/${textIn(data, 'import_id')}` };
    case 'chain.alarm':
      return { console: brandPath(brand), public: '/explorer' };
    case 'webhook.test':
      return { console: brandPath(brand, 'webhooks') };
  }
}

/** Empty when there is none. */
export function textIn(data: SentData, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}
