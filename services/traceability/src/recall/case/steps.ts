// Steps of a case on their way to the chain: a step becomes as many blocks as its lots and recipients need.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { rowSlicesOf, valueRows } from '@lothub/kit/rows/value-rows';
import { newSalt } from '@lothub/kit/secrets/secrets';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { draftDecision, sealedHeight } from '../../ledger/decisions/draft.ts';
import type { DecisionDraft, PrivateValues } from '../../ledger/decisions/draft.ts';
import { recipientCommitment } from '../../ledger/decisions/recipient.ts';
import type { RecallBlock } from '../../ledger/decisions/recall.ts';
import { LOTS_PER_BLOCK_MAX } from '../../ledger/record/decisions/contents.ts';
import type {
  RecallDecision,
  SealedCaseLot,
  SealedRecipient,
} from '../../ledger/record/decisions/contents.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { SEED_LOT_TYPES } from '../../terms.ts';
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
>;

/** What one step says of a case. */
export interface CaseStep extends Pick<
  RecallDecision,
  'change' | 'step' | 'state' | 'at' | 'as_of' | 'notice' | 'ends_holds' | 'migrated'
> {
  readonly entered?: readonly SealedCaseLot[];
  readonly changed?: readonly SealedCaseLot[];
  readonly left?: readonly string[];
  readonly concerned?: readonly SealedRecipient[];
  readonly opened?: PrivateValues;
}

/** Number of the step that comes behind those of a case. */
export function nextStep({ caseNo, stepNo }: Pick<RecallCase, 'caseNo' | 'stepNo'>): number {
  return present(stepNo, `the newest step of ${caseNo}`) + 1;
}

export interface SealedStep {
  readonly decisions: readonly DecisionDraft[];
  /** As their rows are made of them. */
  readonly blocks: readonly RecallBlock[];
}

/** @param of.firstIndex of the step among the decisions of its change */
export function sealStep(
  of: { readonly brand: string; readonly header: CaseHeader; readonly firstIndex: number },
  { opened: privateValues = {}, ...step }: CaseStep,
): SealedStep {
  const { brand, firstIndex } = of;
  const opened = Object.fromEntries(
    Object.entries(privateValues).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const sealed = partsOf(step).map((part, index, parts) => {
    const content: RecallDecision = {
      ...headerMembers(of.header),
      ...part,
      part: index + 1,
      parts: parts.length,
    };
    return {
      draft: draftDecision({ brand, type: 'recall', content }, index === 0 ? opened : {}),
      block: {
        height: sealedHeight(firstIndex + index),
        brand,
        decision: content,
        opened: index === 0 ? opened : {},
      },
    };
  });
  return {
    decisions: sealed.map(({ draft }) => draft),
    blocks: sealed.map(({ block }) => block),
  };
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
function partsOf({ entered = [], changed = [], left = [], concerned = [], ...said }: Part): Part[] {
  const lots = entered.length + changed.length + left.length;
  const count = Math.max(1, ...[lots, concerned.length].map(blocksFor));
  return Array.from({ length: count }, (_, index) => {
    const from = index * LOTS_PER_BLOCK_MAX;
    const cut = <Value>(values: readonly Value[], before: number): readonly Value[] =>
      values.slice(Math.max(0, from - before), Math.max(0, from + LOTS_PER_BLOCK_MAX - before));
    const lists = {
      entered: cut(entered, 0),
      changed: cut(changed, entered.length),
      left: cut(left, entered.length + changed.length),
      concerned: cut(concerned, 0),
    };
    const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
    const { notice, ends_holds: endsHolds, ...common } = said;
    const first = {
      ...(notice === undefined ? {} : { notice }),
      ...(endsHolds === undefined ? {} : { ends_holds: endsHolds }),
    };
    return { ...common, ...(index === 0 ? first : {}), ...Object.fromEntries(filled) };
  });
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

/** What opens the commitment to a recipient, but for the notification. */
export interface CommittedRecipient extends NewNotification {
  readonly salt: string;
  readonly commitment: string;
}

export function commitRecipient({ audience, recipient }: NewNotification): CommittedRecipient {
  const opening = { audience, recipient, salt: newSalt() };
  return { ...opening, commitment: recipientCommitment(opening) };
}

/** Ids of notifications of one case: its number with that many recipients behind it. */
const IDS_PER_CASE = 1_000_000;

/** @param of.lastId of the notifications that the case has; 0: none */
export function numberRecipients(
  recipients: readonly CommittedRecipient[],
  of: { readonly caseId: number; readonly lastId: number },
): { readonly concerned: readonly SealedRecipient[]; readonly statements: readonly Sql[] } {
  const before = Math.max(of.lastId, of.caseId * IDS_PER_CASE);
  const numbered = recipients.map((one, index) => ({ ...one, id: before + index + 1 }));
  return {
    concerned: numbered.map(({ id, commitment }) => ({ id, commitment })),
    statements: insertRecipients(numbered),
  };
}

/** What opens commitments, before the rows of their blocks are made. */
export function insertRecipients(
  rows: readonly (CommittedRecipient & { readonly id: number })[],
): readonly Sql[] {
  const values = rows.map(({ id, audience, recipient, salt }) => [id, audience, recipient, salt]);
  return [...rowSlicesOf(values)].map(
    (slice) => sql`
      insert into private_recipients (notification_id, audience, recipient, salt)
      select cast(v.column1 as bigint), v.column2, v.column3, v.column4
      from (${valueRows(slice)}) v
      where true
      on conflict (notification_id) do nothing`,
  );
}

/** The greatest id among the notifications of a case; 0 when it has none. */
export async function lastNotificationOf(
  database: DatabaseReader,
  caseId: number,
): Promise<number> {
  const row = await database.first<{ readonly lastId: number | null }>(sql`
    select max(notification_id) as "lastId" from recall_notifications where case_id = ${caseId}`);
  return row?.lastId ?? 0;
}
