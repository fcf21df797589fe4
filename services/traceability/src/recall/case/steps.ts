// Seals the steps of a case: a step becomes as many blocks as its lots and recipients need.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { cutRowSlices, valueRows } from '@lothub/kit/rows/value-rows';
import { newSalt } from '@lothub/kit/secrets/secrets';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { draftDecision, sealedHeight } from '../../ledger/decisions/draft.ts';
import type { DecisionDraft, PrivateValues } from '../../ledger/decisions/draft.ts';
import { recipientCommitment } from '../../ledger/decisions/recipient.ts';
import { draftConfidential, type RecallBlock } from '../../ledger/decisions/confidential.ts';
import { LOTS_PER_BLOCK_MAX } from '../../ledger/record/decisions/contents.ts';
import type {
  RecallDecision,
  SealedCaseLot,
  SealedRecipient,
} from '../../ledger/record/decisions/contents.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { NOTIFIED, SEED_LOT_TYPES } from '../../terms.ts';
import { isHidden } from '../../ledger/decisions/hidden-cases.ts';
import type { RecallCase } from './rows.ts';
import type { NewNotification } from './scope-writes.ts';

/** A case as the header of each of its blocks says it. */
export type CaseHeader = Pick<
  RecallCase,
  | 'caseNo'
  | 'title'
  | 'reason'
  | 'severity'
  | 'direction'
  | 'autoHold'
  | 'seedLotCode'
  | 'seedLotNo'
  | 'seedSupplierName'
  | 'confidential'
  | 'notifiedAt'
>;

/** The values that one step of a case seals. */
export interface CaseStep extends Pick<
  RecallDecision,
  | 'change'
  | 'step'
  | 'state'
  | 'at'
  | 'as_of'
  | 'notice'
  | 'wording'
  | 'ends_holds'
  | 'was'
  | 'migrated'
> {
  readonly entered?: readonly SealedCaseLot[];
  readonly changed?: readonly SealedCaseLot[];
  readonly left?: readonly string[];
  readonly added?: readonly string[];
  readonly excluded?: readonly string[];
  readonly restored?: readonly string[];
  readonly concerned?: readonly SealedRecipient[];
  readonly opened?: PrivateValues;
}

/** Returns the number of the step after those of a case. */
export function nextStep({ caseNo, stepNo }: Pick<RecallCase, 'caseNo' | 'stepNo'>): number {
  return present(stepNo, `the newest step of ${caseNo}`) + 1;
}

export interface SealedStep {
  readonly decisions: readonly DecisionDraft[];
  /** The blocks from which the rows are made. */
  readonly blocks: readonly RecallBlock[];
}

/**
 * Seals a step. A step of a case in confidence is one block, whatever its parts, until the case
 * moves to `notification`.
 * @param recallCase.firstIndex the place of the step among the decisions of its change
 */
export function sealStep(
  recallCase: { readonly brand: string; readonly header: CaseHeader; readonly firstIndex: number },
  { opened: privateValues = {}, ...step }: CaseStep,
): SealedStep {
  const { brand, firstIndex } = recallCase;
  const opened = Object.fromEntries(
    Object.entries(privateValues).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const isConfidential = isHidden(recallCase.header) && step.state !== NOTIFIED;
  const sealed = listParts(step).map((part, index, parts) => {
    const content: RecallDecision = {
      ...headerMembers(recallCase.header),
      ...part,
      part: index + 1,
      parts: parts.length,
    };
    const again = index === 0 ? opened : openedAgain(content, opened);
    // All parts of a step in confidence share a block, and its openings.
    const committed = isConfidential && index > 0 ? {} : again;
    return {
      draft: draftDecision({ brand, type: 'recall', content }, committed),
      block: {
        height: sealedHeight(isConfidential ? firstIndex : firstIndex + index),
        brand,
        decision: content,
        opened: again,
        isConfidential,
      },
    };
  });
  const drafts = sealed.map(({ draft }) => draft);
  const { caseNo } = recallCase.header;
  return {
    decisions: isConfidential
      ? [draftConfidential({ brand, caseNo, at: step.at }, drafts)]
      : drafts,
    blocks: sealed.map(({ block }) => block),
  };
}

/** Private values of a further part: who ends the holds that it ends. */
function openedAgain(
  { excluded }: RecallDecision,
  { released_by: by }: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return excluded === undefined || by === undefined ? {} : { released_by: by };
}

function headerMembers(header: CaseHeader) {
  const { seedSupplierName } = header;
  return {
    case_no: header.caseNo,
    title: header.title,
    reason: header.reason,
    severity: header.severity,
    direction: header.direction,
    auto_hold: header.autoHold === 1,
    seed: {
      lot_code: header.seedLotCode,
      type: SEED_LOT_TYPES[header.seedLotNo === null ? 'supplier' : 'own'],
      ...(seedSupplierName === null ? {} : { supplier_name: seedSupplierName }),
    },
  };
}

type Part = Omit<CaseStep, 'opened'>;

/** Each part names at most `LOTS_PER_BLOCK_MAX` lots, and as many recipients. */
function listParts({ concerned = [], ...step }: Part): Part[] {
  const { entered, changed, left, added, excluded, restored, ...said } = step;
  const lots = lotLists({ entered, changed, left, added, excluded, restored });
  const count = Math.max(1, ...[lots.total, concerned.length].map(blocksFor));
  return Array.from({ length: count }, (_, index) => {
    const from = index * LOTS_PER_BLOCK_MAX;
    const cut = (values: readonly unknown[], before: number): readonly unknown[] =>
      values.slice(Math.max(0, from - before), Math.max(0, from + LOTS_PER_BLOCK_MAX - before));
    const lists = [
      ...lots.lists.map(([name, list, before]) => [name, cut(list, before)] as const),
      ['concerned', cut(concerned, 0)] as const,
    ];
    const filled = lists.filter(([, list]) => list.length > 0);
    const { notice, ends_holds: endsHolds, was, wording, ...common } = said;
    const first = {
      ...(notice === undefined ? {} : { notice }),
      ...(endsHolds === undefined ? {} : { ends_holds: endsHolds }),
      ...(was === undefined ? {} : { was }),
      ...(wording === undefined ? {} : { wording }),
    };
    return { ...common, ...(index === 0 ? first : {}), ...Object.fromEntries(filled) };
  });
}

/** Returns the lists of lots, each with the number of entries before it, and their total. */
function lotLists(named: Readonly<Record<string, readonly unknown[] | undefined>>) {
  const lists: (readonly [name: string, list: readonly unknown[], before: number])[] = [];
  let total = 0;
  for (const [name, list = []] of Object.entries(named)) {
    lists.push([name, list, total]);
    total += list.length;
  }
  return { lists, total };
}

function blocksFor(entries: number): number {
  return Math.ceil(entries / LOTS_PER_BLOCK_MAX);
}

export function sealedLot(
  lot: Omit<RelatedLot, 'lotNo'> & { readonly lotCode: string },
): SealedCaseLot {
  const { lotCode, relation, distance, bothWays } = lot;
  return { lot: lotCode, relation, distance, ...(bothWays ? { both_ways: true as const } : {}) };
}

/** The values that open the commitment to a recipient, except the notification. */
export interface CommittedRecipient extends NewNotification {
  readonly salt: string;
  readonly commitment: string;
}

export function commitRecipient({ audience, recipient }: NewNotification): CommittedRecipient {
  const opening = { audience, recipient, salt: newSalt() };
  return { ...opening, commitment: recipientCommitment(opening) };
}

/** Maximum number of ids of one case: an id is its number followed by that of the recipient. */
const IDS_PER_CASE = 1_000_000;

/** @param ids.lastId of the notifications that the case has; 0: none */
export function numberRecipients(
  recipients: readonly CommittedRecipient[],
  ids: { readonly caseId: number; readonly lastId: number },
): { readonly concerned: readonly SealedRecipient[]; readonly statements: readonly Sql[] } {
  const before = Math.max(ids.lastId, ids.caseId * IDS_PER_CASE);
  const numbered = recipients.map((one, index) => ({ ...one, id: before + index + 1 }));
  return {
    concerned: numbered.map(({ id, commitment }) => ({ id, commitment })),
    statements: insertRecipients(numbered),
  };
}

/** Inserts the values that open commitments, before the rows of their blocks are made. */
export function insertRecipients(
  rows: readonly (CommittedRecipient & { readonly id: number })[],
): readonly Sql[] {
  const values = rows.map(({ id, audience, recipient, salt }) => [id, audience, recipient, salt]);
  return [...cutRowSlices(values)].map(
    (slice) => sql`
      insert into private_recipients (notification_id, audience, recipient, salt)
      select cast(v.column1 as bigint), v.column2, v.column3, v.column4
      from (${valueRows(slice)}) v
      where true
      on conflict (notification_id) do nothing`,
  );
}

/** The greatest id among the notifications of a case; 0 when it has none. */
export async function readLastNotificationId(
  database: DatabaseReader,
  caseId: number,
): Promise<number> {
  const row = await database.first<{ readonly lastId: number | null }>(sql`
    select max(notification_id) as "lastId" from recall_notifications where case_id = ${caseId}`);
  return row?.lastId ?? 0;
}
