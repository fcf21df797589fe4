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
import type { Severity } from '../../../terms.ts';
import {
  CASE_CHANGES,
  EDITED,
  EDITED_FIELDS,
  EDITED_TEXTS,
  LOTS_PER_BLOCK_MAX,
} from './contents.ts';
import type { RecallDecision } from './contents.ts';
import { isWording } from './wording.ts';
import {
  hasDecisionMembers,
  hasOnly,
  isCount,
  isFields,
  isLotList,
  isText,
  isTip,
  mayBeText,
} from './members.ts';
import type { Fields } from './members.ts';

const MEMBERS: readonly string[] = [
  ...['added', 'as_of', 'at', 'auto_hold', 'case_no', 'change', 'changed', 'committed'],
  ...['concerned', 'direction', 'ends_holds', 'entered', 'excluded', 'left', 'migrated', 'notice'],
  ...['part', 'parts', 'reason', 'restored', 'seed', 'severity', 'state', 'step', 'title', 'was'],
  'wording',
];

/** Lists of codes of lots. */
const LOT_LISTS = ['added', 'excluded', 'left', 'restored'] as const;
/** Members that only an edit may have. */
const OF_EDITS = ['added', 'excluded', 'restored', 'was'] as const;

export function isRecallDecision(content: Fields): boolean {
  const { part, parts, step, as_of: asOf, notice } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, MEMBERS) &&
    isText(content['case_no']) &&
    isText(content['title']) &&
    isText(content['reason']) &&
    typeof content['auto_hold'] === 'boolean' &&
    isAnyWord(CASE_CHANGES, content['change']) &&
    isAnyWord(CASE_STATUSES, content['state']) &&
    isAnyWord(SEVERITIES, content['severity']) &&
    isAnyWord(RECALL_DIRECTIONS, content['direction']) &&
    isNumber(step) &&
    isNumber(part) &&
    isNumber(parts) &&
    part <= parts &&
    isSeed(content['seed']) &&
    (asOf === undefined || isTip(asOf)) &&
    (notice === undefined || isNotice(notice)) &&
    isTrueIfSet(content['ends_holds']) &&
    isListIfSet(content['entered'], isCaseLot) &&
    isListIfSet(content['changed'], isCaseLot) &&
    isListIfSet(content['concerned'], isRecipient) &&
    LOT_LISTS.every((name) => content[name] === undefined || isLotList(content[name])) &&
    (content['change'] === EDITED || OF_EDITS.every((name) => content[name] === undefined)) &&
    (content['was'] === undefined || isEditedText(content['was'])) &&
    isWordingIfSet(content)
  );
}

/** Facts of a step that one block of it does not contain. */
export interface WholeStep {
  readonly brandName: string;
  /** The number of lots that the whole step names; absent when some of its parts cannot be read. */
  readonly lots?: LotCounts;
}

interface LotCounts {
  readonly entered: number;
  readonly left: number;
}

/**
 * Returns the summary of a part of a step: its number, and the number of lots that it names.
 * @param whole absent: the brand is named by its id, and only the lots of this part are counted
 */
export function summaryOfRecall(content: RecallDecision, id: string, whole?: WholeStep): string {
  const { case_no: caseNo, change, state, title, severity } = content;
  const brand = whole?.brandName ?? id;
  const own = { entered: content.entered?.length ?? 0, left: content.left?.length ?? 0 };
  const lots = whole?.lots ?? own;
  const said = lotWords(lots, change).map((one) => `, ${one}`);
  const part = partWords(content, whole?.lots === undefined ? [] : lotWords(own, change));
  if (change === 'opened') {
    return `Recall ${caseNo} opened by ${brand}: ${title}, ${CLASSES[severity]}${said.join('')}${part}`;
  }
  if (change === 'widened')
    return `Scope of recall ${caseNo} of ${brand} changed${said.join('')}${part}`;
  if (change === EDITED) {
    return `Recall ${caseNo} of ${brand} edited${formatEdits(content).join('')}${said.join('')}${part}`;
  }
  const to = state === CANCELLED ? 'cancelled' : `moved to ${state}`;
  return `Recall ${caseNo} of ${brand} ${to}${said.join('')}${part}`;
}

/** Each with a comma before it: what an edit changed, from what to what, and how many lots by hand. */
function formatEdits(content: RecallDecision): readonly string[] {
  const { was = {}, added, excluded, restored } = content;
  const texts = EDITED_TEXTS.flatMap((field) => {
    const from = was[field];
    return from === undefined ? [] : [`${field} “${from}” → “${content[field]}”`];
  });
  const wording = was.wording === undefined ? [] : ['languages of its texts changed'];
  const lots = [
    { codes: added, words: 'added by hand' },
    { codes: excluded, words: 'excluded by hand' },
    { codes: restored, words: 'no longer excluded' },
  ].flatMap(({ codes = [], words }) =>
    codes.length === 0 ? [] : [`${lotCount(codes.length)} ${words}`],
  );
  return [...texts, ...wording, ...lots].map((one) => `, ${one}`);
}

/** The words of a summary for each severity. */
const CLASSES: Readonly<Record<Severity, string>> = {
  class_i: 'class I',
  class_ii: 'class II',
  class_iii: 'class III',
  market_withdrawal: 'market withdrawal',
  unclassified: 'not classified yet',
};

function lotWords({ entered, left }: LotCounts, change: RecallDecision['change']): string[] {
  return [
    ...(entered === 0 ? [] : [lotCount(entered) + (change === 'opened' ? '' : ' entered')]),
    ...(left === 0 ? [] : [`${lotCount(left)} left`]),
  ];
}

function partWords({ part, parts }: RecallDecision, own: readonly string[]): string {
  if (parts === 1) return '';
  const counts = own.length === 0 ? '' : `: ${own.join(', ')}`;
  return ` (part ${part} of ${parts}${counts})`;
}

function lotCount(lots: number): string {
  return `${lots} ${lots === 1 ? 'lot' : 'lots'}`;
}

function isAnyWord(words: readonly string[], value: unknown): boolean {
  return isText(value) && words.includes(value);
}

/** Returns whether a value is a number that counts from 1. */
function isNumber(value: unknown): value is number {
  return isCount(value) && value >= 1;
}

function hasAny(fields: Fields): boolean {
  return Object.keys(fields).length > 0;
}

function isTrueIfSet(value: unknown): boolean {
  return value === undefined || value === true;
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
    isAnyWord(LOT_TYPES, value['type']) &&
    mayBeText(value, ['supplier_name'])
  );
}

function isEditedText(value: unknown): boolean {
  return (
    isFields(value) &&
    Object.keys(value).length > 0 &&
    hasOnly(value, EDITED_FIELDS) &&
    mayBeText(value, ['reason', 'title']) &&
    (value['wording'] === undefined || isWording(value['wording'])) &&
    (value['severity'] === undefined || isAnyWord(SEVERITIES, value['severity']))
  );
}

/** An opening has one, and an edit that says what it replaces; both in their first part. */
function isWordingIfSet({ change, part, was, wording }: Fields): boolean {
  if (wording === undefined) return true;
  const isReplaced = isFields(was) && was['wording'] !== undefined;
  const isSaid = change === 'opened' || (change === EDITED && isReplaced);
  return isSaid && part === 1 && isWording(wording) && isFields(wording) && hasAny(wording);
}

function isNotice(value: unknown): boolean {
  return (
    isFields(value) &&
    hasOnly(value, ['advice', 'brand_name', 'recall_contact', 'website']) &&
    isText(value['advice']) &&
    isText(value['brand_name']) &&
    mayBeText(value, ['recall_contact', 'website'])
  );
}

function isCaseLot(entry: Fields): boolean {
  return (
    hasOnly(entry, ['both_ways', 'distance', 'lot', 'relation']) &&
    isText(entry['lot']) &&
    isAnyWord(RELATIONS, entry['relation']) &&
    isCount(entry['distance']) &&
    isTrueIfSet(entry['both_ways'])
  );
}

function isRecipient(entry: Fields): boolean {
  const { commitment, id } = entry;
  return (
    hasOnly(entry, ['commitment', 'id']) &&
    isNumber(id) &&
    (commitment === undefined || (isText(commitment) && isSha256Hex(commitment)))
  );
}
