// Steps of recall cases, as their blocks say them.
import { isSha256Hex } from '@lothub/chain';
import {
  CANCELLED,
  CASE_STATUSES,
  LOT_TYPES,
  RECALL_DIRECTIONS,
  RELATIONS,
  SEVERITIES,
} from '../../../terms.ts';
import { CASE_CHANGES, LOTS_PER_BLOCK_MAX } from './contents.ts';
import type { RecallDecision } from './contents.ts';
import { hasDecisionMembers, hasOnly, isFields, isLotList, isText } from './members.ts';
import type { Fields } from './members.ts';

const MEMBERS: readonly string[] = [
  ...['as_of', 'at', 'auto_hold', 'case_no', 'change', 'changed', 'committed', 'concerned'],
  ...['direction', 'ends_holds', 'entered', 'left', 'migrated', 'notice', 'part', 'parts'],
  ...['reason', 'seed', 'severity', 'state', 'step', 'title'],
];

export function isRecallDecision(content: Fields): boolean {
  const { part, parts, step, as_of: asOf, notice } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, MEMBERS) &&
    isText(content['case_no']) &&
    isText(content['title']) &&
    isText(content['reason']) &&
    typeof content['auto_hold'] === 'boolean' &&
    isOneOf(CASE_CHANGES, content['change']) &&
    isOneOf(CASE_STATUSES, content['state']) &&
    isOneOf(SEVERITIES, content['severity']) &&
    isOneOf(RECALL_DIRECTIONS, content['direction']) &&
    isCount(step) &&
    isCount(part) &&
    isCount(parts) &&
    part <= parts &&
    isSeed(content['seed']) &&
    (asOf === undefined || isPlace(asOf)) &&
    (notice === undefined || isNotice(notice)) &&
    isTrueIfSet(content['ends_holds']) &&
    isListIfSet(content['entered'], isCaseLot) &&
    isListIfSet(content['changed'], isCaseLot) &&
    isListIfSet(content['concerned'], isRecipient) &&
    (content['left'] === undefined || isLotList(content['left']))
  );
}

/** Of a case with several parts each says how many lots it names itself. */
export function summaryOfRecall(content: RecallDecision, brand: string): string {
  const { case_no: caseNo, change, state, title, severity, entered, left } = content;
  const part = content.parts === 1 ? '' : ` (part ${content.part} of ${content.parts})`;
  const lots = [counted(entered, 'entered'), counted(left, 'left')].filter((one) => one !== '');
  const said = lots.length === 0 ? '' : `, ${lots.join(', ')}`;
  if (change === 'opened') {
    return `Recall ${caseNo} opened by ${brand}: ${title}, ${severity}${said}${part}`;
  }
  if (change === 'widened') return `Scope of recall ${caseNo} of ${brand} changed${said}${part}`;
  const to = state === CANCELLED ? 'cancelled' : `moved to ${state}`;
  return `Recall ${caseNo} of ${brand} ${to}${said}${part}`;
}

function counted(lots: readonly unknown[] | undefined, what: string): string {
  if (lots === undefined) return '';
  return `${lots.length} ${lots.length === 1 ? 'lot' : 'lots'} ${what}`;
}

function isOneOf(words: readonly string[], value: unknown): boolean {
  return isText(value) && words.includes(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

function isHeight(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isTrueIfSet(value: unknown): boolean {
  return value === undefined || value === true;
}

function isTextIfSet(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isListIfSet(value: unknown, isEntry: (entry: Fields) => boolean): boolean {
  if (value === undefined) return true;
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= LOTS_PER_BLOCK_MAX &&
    value.every((entry: unknown) => isFields(entry) && isEntry(entry))
  );
}

function isSeed(value: unknown): boolean {
  return (
    isFields(value) &&
    hasOnly(value, ['lot_code', 'supplier_name', 'type']) &&
    isText(value['lot_code']) &&
    isOneOf(LOT_TYPES, value['type']) &&
    isTextIfSet(value['supplier_name'])
  );
}

function isPlace(value: unknown): boolean {
  return (
    isFields(value) &&
    hasOnly(value, ['hash', 'height']) &&
    isHeight(value['height']) &&
    isText(value['hash']) &&
    isSha256Hex(value['hash'])
  );
}

function isNotice(value: unknown): boolean {
  return (
    isFields(value) &&
    hasOnly(value, ['advice', 'brand_name', 'recall_contact', 'website']) &&
    isText(value['advice']) &&
    isText(value['brand_name']) &&
    isTextIfSet(value['recall_contact']) &&
    isTextIfSet(value['website'])
  );
}

function isCaseLot(entry: Fields): boolean {
  return (
    hasOnly(entry, ['both_ways', 'distance', 'lot', 'relation']) &&
    isText(entry['lot']) &&
    isOneOf(RELATIONS, entry['relation']) &&
    isHeight(entry['distance']) &&
    isTrueIfSet(entry['both_ways'])
  );
}

function isRecipient(entry: Fields): boolean {
  const { commitment, id } = entry;
  return (
    hasOnly(entry, ['commitment', 'id']) &&
    isCount(id) &&
    (commitment === undefined || (isText(commitment) && isSha256Hex(commitment)))
  );
}
