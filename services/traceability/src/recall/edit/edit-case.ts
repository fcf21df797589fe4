// Edits an open case: its texts, its severity, and the lots that it covers whatever the trace
// finds. If somebody changed the case while an edit was planned, the edit is judged again, against
// the new case.
import { instantText, type Clock } from '@lothub/kit/clock';
import { repeatWhileStale } from '@lothub/kit/writer/planned-change';
import type { Sql } from 'sql-template-tag';
import { Refusal } from '../../errors.ts';
import { insertAuditEntry } from '../../ledger/audit.ts';
import { sealedHeight, type DecidedChange } from '../../ledger/decisions/draft.ts';
import { halvesOfPart } from '../../ledger/decisions/recall.ts';
import type { Caller, Tip } from '../../ledger/draft.ts';
import { EDITED, EDITED_TEXTS } from '../../ledger/record/decisions/contents.ts';
import type {
  CaseWording,
  EditedText,
  SealedNotice,
} from '../../ledger/record/decisions/contents.ts';
import { readWording, wordingText } from '../../ledger/record/decisions/wording.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { notifyWatchersEdited } from '../../ledger/watching/notify-watchers.ts';
import { notifyHeldByCase } from '../../ledger/webhooks/notify.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { knownLots } from '../../lots/known-lots.ts';
import { getCase } from '../case/move-case.ts';
import type { RecallCase } from '../case/rows.ts';
import {
  caseAtRevision,
  claimCases,
  endRecall,
  flagEntered,
  flagReleased,
} from '../case/scope-writes.ts';
import { noticeAfter } from '../case/sealed-notice.ts';
import { nextStep, numberRecipients, sealStep } from '../case/steps.ts';
import { wordingAfter } from '../case/wording.ts';
import { refuseUnlessSeen } from '../seen.ts';
import { checkEdit } from './check.ts';
import { followAgainFrom, planScopeEdit, type PlannedScope } from './scope-edit.ts';
import type { CaseEdit } from './schema.ts';

/** Others change a case as well: people move it, the chain widens it. Each time one wins. */
const ATTEMPTS_MAX = 50;

export interface CaseEditing {
  readonly tenantId: string;
  readonly caseNo: string;
  readonly edit: Omit<CaseEdit, 'changed_by'>;
  /** Mark of the texts that the caller saw before editing them (`../seen.ts`). */
  readonly seen?: string | undefined;
  readonly caller: Caller;
}

export interface EditedCase {
  readonly recallCase: RecallCase;
  /** First block of the step; undefined when nothing changed. */
  readonly block: Tip | undefined;
}

/** The changes that an edit makes to a case. */
interface Planned {
  /** The texts of the header that it changes, with their new values. */
  readonly texts: Partial<Pick<RecallCase, (typeof EDITED_TEXTS)[number]>>;
  /** Undefined: it stays as it is. */
  readonly wording: CaseWording | undefined;
  /** Undefined: the lots stay unchanged. */
  readonly scope: PlannedScope | undefined;
  readonly notice: SealedNotice | undefined;
}

/**
 * Returns once the edit is on disk; an edit that changes nothing leaves the case unchanged.
 * @throws FieldsRefusal when the edit is empty, or a list of lots has a code twice or an unknown
 * one; Refusal `not_found`, `rule_broken` when the case has ended or its texts are not those that
 * the caller saw; DatabaseError as the store's
 */
export async function editCase(
  deps: {
    readonly store: Pick<LedgerStore, 'decide'>;
    readonly reader: LedgerReader;
    readonly clock: Clock;
  },
  editing: CaseEditing,
): Promise<EditedCase> {
  const { store, reader, clock } = deps;
  const { tenantId, caseNo, edit } = editing;
  checkEdit(edit);
  const busy = `others kept changing ${caseNo}`;
  return await repeatWhileStale({ busy, attemptsMax: ATTEMPTS_MAX }, async () => {
    const recallCase = await getCase(reader.database, editing);
    if (recallCase.endedAt !== null) {
      const message = `The case is ${recallCase.status} and cannot be edited any more`;
      throw new Refusal('rule_broken', message);
    }
    refuseUnlessSeen(editing.seen, { values: listTexts(recallCase), what: 'The case' });
    const { add = [], exclude = [] } = edit.scope ?? {};
    const lots = await knownLots(reader.database, tenantId, [
      { loc: ['body', 'scope', 'add'], codes: add },
      { loc: ['body', 'scope', 'exclude'], codes: exclude },
    ]);
    const texts = changedTexts(recallCase, edit);
    const scope = await planScopeEdit(reader, { recallCase, add, exclude, lots });
    const wording = changedWording(recallCase, edit);
    const isText = Object.keys(texts).length > 0 || wording !== undefined;
    if (!isText && scope === undefined) return { recallCase, block: undefined };
    const notice =
      isText && recallCase.notifiedAt !== null
        ? await noticeAfter(reader.database, { caseNo, changed: texts })
        : undefined;
    const outcome = await store.decide({
      guard: caseAtRevision(recallCase),
      ...buildChange(editing, recallCase, {
        ...{ texts, wording, scope, notice },
        at: instantText(clock.nowMs()),
      }),
    });
    if (outcome.kind === 'stale') return outcome.kind;
    return { recallCase: await getCase(reader.database, editing), block: outcome.blocks[0] };
  });
}

/** Texts of a case that an edit may change, as they are now. */
export function listTexts(recallCase: RecallCase): readonly (string | null)[] {
  return [...EDITED_TEXTS.map((field) => recallCase[field]), recallCase.wording];
}

function changedTexts(recallCase: RecallCase, edit: CaseEditing['edit']): Planned['texts'] {
  const changed = EDITED_TEXTS.flatMap((field) => {
    const wanted = edit[field] ?? recallCase[field];
    return wanted === recallCase[field] ? [] : [[field, wanted] as const];
  });
  return Object.fromEntries(changed);
}

/** @throws FieldsRefusal */
function changedWording(
  recallCase: RecallCase,
  edit: CaseEditing['edit'],
): CaseWording | undefined {
  const after = wordingAfter(readWording(recallCase.wording), edit);
  return wordingText(after) === recallCase.wording ? undefined : after;
}

function buildChange(
  { tenantId, caseNo, edit, caller }: CaseEditing,
  recallCase: RecallCase,
  { texts, wording, scope, notice, at }: Planned & { readonly at: string },
): Omit<DecidedChange, 'guard'> {
  const { caseId } = recallCase;
  const was: EditedText = {
    ...Object.fromEntries(
      EDITED_TEXTS.flatMap((field) => (field in texts ? [[field, recallCase[field]]] : [])),
    ),
    ...(wording === undefined ? {} : { wording: readWording(recallCase.wording) }),
  };
  const by = caller.person ?? null;
  const recipients = numberRecipients(scope?.recipients ?? [], {
    caseId,
    lastId: scope?.lastNotification ?? 0,
  });
  const step = sealStep(
    { brand: tenantId, header: { ...recallCase, ...texts }, firstIndex: 0 },
    {
      change: EDITED,
      step: nextStep(recallCase),
      state: recallCase.status,
      at,
      ...(Object.keys(was).length === 0 ? {} : { was }),
      ...(notice === undefined ? {} : { notice }),
      ...(wording === undefined || wordingText(wording) === null ? {} : { wording }),
      ...(scope === undefined ? {} : { ...scope.said, concerned: recipients.concerned }),
      opened: {
        changed_by: by,
        note: edit.note ?? null,
        scope_reason: scope === undefined ? null : (edit.scope?.reason ?? null),
        released_by:
          scope === undefined || scope.excluded.length === 0 ? null : (by ?? caller.actor),
      },
    },
  );
  const again = scope?.again ?? new Set<string>();
  const halves = step.blocks.map((block) => halvesOfPart(block, again));
  const prepared = {
    claim: claimCases([recallCase]),
    statements: [...recipients.statements, ...halves.flatMap((half) => half.prepared)],
  };
  const statements = [
    ...halves.flatMap((half) => half.statements),
    ...(scope === undefined ? [] : scopeStatements(recallCase, scope)),
    insertAuditEntry({
      at,
      tenantId,
      caller,
      action: 'edit_case',
      entityType: 'case',
      entityId: caseNo,
      blockHeight: sealedHeight(0),
      details: {
        fields: Object.keys(was).join(','),
        lots_added: scope?.said.added.length ?? 0,
        lots_excluded: scope?.said.excluded.length ?? 0,
        lots_restored: scope?.said.restored.length ?? 0,
      },
    }),
    ...notifyHeldByCase(
      {
        ...{ brand: tenantId, at, blockHeight: sealedHeight(0) },
        recallCase: { ...recallCase, ...texts },
      },
      (scope?.said.entered ?? []).map(({ lot }) => lot),
    ),
    ...notifyWatchersEdited(
      {
        ...{ brand: tenantId, recallCase, stepNo: nextStep(recallCase), at },
        status: recallCase.status,
      },
      {
        hasTexts: Object.keys(was).length > 0,
        hasLots: scope !== undefined && scope.said.entered.length + scope.left.length > 0,
      },
    ),
  ];
  return { decisions: step.decisions, prepared, statements };
}

/** Returns the statements of a change of the lots besides those of the rows of its blocks. */
function scopeStatements(
  recallCase: RecallCase,
  { said, entered, left, excluded }: PlannedScope,
): readonly Sql[] {
  return [
    ...flagEntered(entered, recallCase),
    ...endRecall(left),
    ...flagReleased(excluded),
    followAgainFrom(said.as_of.height),
  ];
}
