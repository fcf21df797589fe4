// Appends submissions to the chain: looks up repeats, seals, and writes block and derived rows. Runs
// in the writer thread, inside the transaction of one group commit, on whatever engine keeps the rows.
import { sealBlock } from '@lothub/chain';
import { GroupTree } from '@lothub/chain/log';
import { instantText } from '@lothub/kit/clock';
import { present } from '@lothub/kit/present';
import { sha256Bytes, sha256Hex } from '@lothub/kit/secrets/hash';
import type { PrivateLine } from '../record/commitment.ts';
import { findConflict, findEvent, type StoredEventParts } from './conflict.ts';
import type {
  CorrectionDraft,
  CorrectionOutcome,
  CorrectionSubmission,
  Draft,
  DraftOutcome,
  Submission,
  SubmittedCorrection,
  Tip,
} from '../draft.ts';
import {
  auditPayloadText,
  correctionPayloadText,
  decisionPayloadText,
  eventPayloadText,
  parsePayload,
  versionOfCorrection,
  versionOfEvent,
} from '../record/payload.ts';
import type { ChainCorrection } from '../record/payload.ts';
import type { BlockDraft } from '../decisions/draft.ts';
import { blockRow } from '../rows-of-blocks.ts';
import { toLeaf } from '../log/leaf.ts';
import { eventOfDraft } from './draft-event.ts';
import { findCorrectionTarget, type CorrectionTarget } from './correction-rows.ts';
import { DerivedRows } from './derived-rows.ts';
import type { GroupRows, Head } from './group-rows.ts';
import { PostingRuns } from '../postings/posting-runs.ts';

export interface Committed {
  /** Undefined when no group took the head yet. */
  readonly tip: Head | undefined;
  readonly tookHead: boolean;
  /** Undefined while the tree is being built. */
  readonly grown: GroupTree | undefined;
}

/** The result of a submission before the group's last block is known. */
interface Appended {
  readonly outcomes: readonly DraftOutcome[];
}

export class Appender {
  readonly #rows: GroupRows;
  readonly #derived: DerivedRows;
  readonly #postings = new PostingRuns();
  /**
   * The tip after the last group of this writer. If the stored chain lacks this block, another program has
   * changed it.
   */
  #known: Head | undefined;
  #head: Head | undefined;
  /** Leaves of the blocks that the group has so far. */
  #leaves: Uint8Array[] = [];
  #grown: GroupTree | undefined;
  /** When the transaction began: all of a group is recorded at one moment. */
  #nowText = '';

  constructor(options: {
    readonly rows: GroupRows;
    /** The last block that this process has already sealed. */
    readonly known?: Head | undefined;
  }) {
    this.#rows = options.rows;
    this.#known = options.known;
    this.#derived = new DerivedRows(options.rows);
  }

  /** The tip of the last group that this writer committed; undefined before the first. */
  get known(): Head | undefined {
    return this.#known;
  }

  /** Leaves of the blocks of the current group, or of the last one. */
  get leaves(): readonly Uint8Array[] {
    return this.#leaves;
  }

  /** What the last group adds to the tree, once it has ended; undefined while the tree is being built. */
  get grown(): GroupTree | undefined {
    return this.#grown;
  }

  /**
   * Takes the head for one transaction.
   * @param nowMs time of a clock that is trusted
   */
  begin(head: Head, nowMs: number): void {
    this.#head = head;
    this.#leaves = [];
    this.#grown = undefined;
    this.#nowText = instantText(nowMs);
    this.#postings.begin();
    this.#derived.begin();
  }

  /**
   * The stored chain does not contain the block that this writer sealed last: another program
   * removed or changed it. Submissions are not refused for it, so the group is appended to the
   * stored tip.
   */
  raiseTipChanged(stored: Tip): void {
    const known = this.#known ?? stored;
    this.#rows.chain.raiseAlarm({
      height: Math.min(known.height, stored.height + 1),
      code: 'tip_changed',
      message: `the last block is ${stored.height} but block ${known.height} was sealed last`,
      found_at: this.#nowText,
    });
  }

  /** Forgets row numbers and sums: another program wrote, so they may be wrong. */
  forget(): void {
    this.#derived.forget();
  }

  append(submission: Submission): Appended {
    const outcomes = this.#plan(submission);
    const refused =
      submission.unit === 'none' ||
      (submission.unit === 'all' && outcomes.some((outcome) => outcome?.kind === 'conflict'));
    const repeats = new Map<number, number>();
    return {
      outcomes: submission.drafts.map((draft, index): DraftOutcome => {
        const planned = outcomes[index];
        if (planned?.kind === 'repeats') {
          if (refused) return { kind: 'withheld' };
          const height = present(
            repeats.get(planned.index),
            'the block of the draft that this one repeats',
          );
          return { kind: 'replayed', height, hash: this.#hashAt(height) };
        }
        if (planned !== undefined) return planned;
        if (refused) return { kind: 'withheld' };
        const appended = this.#sealEvent(submission, draft);
        repeats.set(index, appended.height);
        return { kind: 'appended', ...appended };
      }),
    };
  }

  /**
   * Seals corrections and applies them, except those with an obstacle, such as a correction that came first.
   */
  correct(submission: CorrectionSubmission): readonly CorrectionOutcome[] {
    const { tenantId, corrections, unit } = submission;
    const targets: CorrectionTargets = new Map();
    const together = unit === 'each' ? corrections.map((draft) => [draft]) : [corrections];
    return together.flatMap((drafts) => this.#correctTogether(tenantId, drafts, targets));
  }

  #correctTogether(
    tenantId: string,
    drafts: readonly SubmittedCorrection[],
    targets: CorrectionTargets,
  ): readonly CorrectionOutcome[] {
    const obstacles = this.#findObstacles(tenantId, drafts, targets);
    const isRefused = obstacles.some((obstacle) => obstacle !== undefined);
    return drafts.map((draft, index): CorrectionOutcome => {
      if (isRefused) return obstacles[index] ?? { kind: 'withheld' };
      return this.#sealCorrection(tenantId, draft, targets);
    });
  }

  /** Returns the obstacle of each correction, if any, when it is applied after those before it. */
  #findObstacles(
    tenantId: string,
    drafts: readonly CorrectionDraft[],
    targets: CorrectionTargets,
  ): readonly (CorrectionOutcome | undefined)[] {
    const idsAhead = new Set<string>();
    const correctionsAhead = new Map<number, number>();
    return drafts.map(({ correctsHeight, afterCount, externalId }) => {
      const before = correctionsAhead.get(correctsHeight) ?? 0;
      correctionsAhead.set(correctsHeight, before + 1);
      if (externalId !== null) {
        const taken = this.#derived.heightOfExternalId(tenantId, externalId);
        if (taken !== undefined) return { kind: 'taken', height: taken };
        if (idsAhead.has(externalId)) return { kind: 'stale' };
        idsAhead.add(externalId);
      }
      const target = this.#findTarget(correctsHeight, targets);
      const isAsPlanned =
        target?.brand === tenantId && target.effective.correctedBy.length + before === afterCount;
      return isAsPlanned ? undefined : { kind: 'stale' };
    });
  }

  /** Reads an event once for all corrections of it. */
  #findTarget(height: number, targets: CorrectionTargets): CorrectionTarget | undefined {
    const known = targets.get(height);
    if (known !== undefined) return known;
    const target = findCorrectionTarget(this.#rows.chain, height);
    if (target !== undefined) targets.set(height, target);
    return target;
  }

  #sealCorrection(
    tenantId: string,
    draft: SubmittedCorrection,
    targets: CorrectionTargets,
  ): CorrectionOutcome {
    const { caller, correctsHeight, correctionText } = draft;
    const target = present(this.#findTarget(correctsHeight, targets), 'the event of a correction');
    const correction = JSON.parse(correctionText) as ChainCorrection;
    const version = versionOfCorrection(correction);
    const sealed = this.#seal((recordedAt) =>
      correctionPayloadText({ brand: tenantId, correctionText, recordedAt, version }),
    );
    const { height } = sealed;
    targets.set(correctsHeight, this.#derived.insertCorrection({ height, target, correction }));
    this.#rows.chain.insertPrivateOfCorrection(height, draft);
    this.#rows.chain.insertAuditEntry({
      at: this.#nowText,
      tenantId,
      caller,
      action: 'correct_event',
      entityType: 'event',
      entityId: String(correctsHeight),
      blockHeight: height,
      details: { changes: correction.changes.length },
    });
    return { kind: 'appended', ...sealed };
  }

  /** Seals decisions. The caller changes the rows that follow from them (`rowsOfDecision`). */
  decide(decisions: readonly BlockDraft[]): readonly Tip[] {
    return decisions.map((draft) => {
      if (draft.type === 'audit') {
        const { audit } = draft;
        return this.#seal((recordedAt) => auditPayloadText({ audit, recordedAt }));
      }
      const { brand, type, subject, decisionText, committed } = draft;
      const sealed = this.#seal((recordedAt) =>
        decisionPayloadText({ brand, decisionText, recordedAt, type }),
      );
      const { height } = sealed;
      this.#rows.chain.insertDecision({ height, tenant_id: brand, type, subject });
      this.#rows.chain.insertPrivateOfDecision(height, committed);
      return sealed;
    });
  }

  /** Writes the new head. A crash before the commit that follows leaves nothing of the group. */
  end(): Tip {
    const { frontier: before, ...tip } = this.#current();
    for (const row of this.#postings.rows()) this.#rows.chain.insertPosting(row);
    this.#grown = before && new GroupTree({ before, leaves: this.#leaves, hash: sha256Bytes });
    const head = { ...tip, frontier: this.#grown?.after };
    this.#head = head;
    this.#derived.end(head);
    return { height: head.height, hash: head.hash };
  }

  /**
   * Ends a group that is on disk.
   * @returns the new known tip, and the growth of the tree if the group took the head
   */
  committed(): Committed {
    const tookHead = this.#head !== undefined;
    if (tookHead) this.#known = this.#head;
    this.#head = undefined;
    return { tip: this.#known, tookHead, grown: tookHead ? this.#grown : undefined };
  }

  /**
   * Ends a group that was undone, with its alarm: forgets the rows that it would have written. The
   * known tip does not change, so that the next group raises the alarm again.
   */
  undone(): void {
    this.#head = undefined;
    this.#derived.forget();
  }

  #current(): Head {
    if (this.#head === undefined) throw new Error('appending outside of a transaction');
    return this.#head;
  }

  /**
   * Returns the outcome of each draft that is decided before anything is written; undefined for a
   * new draft.
   */
  #plan(submission: Submission): readonly (DraftOutcome | Repeats | undefined)[] {
    const firstOf = new Map<string, number>();
    return submission.drafts.map((draft, index) => {
      const stored = this.#findStored(submission.tenantId, draft);
      if (stored !== undefined) return stored;
      const key = repeatKey(draft);
      if (key === undefined) return undefined;
      const earlier = firstOf.get(key);
      const first = earlier === undefined ? undefined : submission.drafts[earlier];
      if (earlier === undefined || first === undefined) {
        firstOf.set(key, index);
        return undefined;
      }
      const conflict = findConflict(partsOfDraft(first), draft);
      if (conflict !== undefined) return { kind: 'conflict', ...conflict };
      return { kind: 'repeats', index: earlier };
    });
  }

  #findStored(tenantId: string, draft: Draft): DraftOutcome | undefined {
    if (draft.externalId !== null) {
      const height = this.#derived.heightOfExternalId(tenantId, draft.externalId);
      return height === undefined ? undefined : this.#compare(height, draft);
    }
    if (draft.groupKey === null) return undefined;
    let found: DraftOutcome | undefined;
    // Before regrown groups were refused, several events could be imported under one key.
    for (const height of this.#derived.heightsOfGroupKey(tenantId, draft.groupKey)) {
      found = this.#compare(height, draft);
      if (found.kind === 'replayed') return found;
    }
    return found;
  }

  #compare(height: number, draft: Draft): DraftOutcome {
    const event = findEvent(
      parsePayload(present(this.#rows.chain.findCanonical(height), `block ${height}`)),
    );
    const privateValues = this.#rows.chain.storedPrivate(height);
    const conflict = findConflict({ height, event, privateValues }, draft);
    if (conflict !== undefined) return { kind: 'conflict', ...conflict };
    return { kind: 'replayed', height, hash: this.#hashAt(height) };
  }

  #hashAt(height: number): string {
    return present(this.#rows.chain.findHash(height), `block ${height}`);
  }

  #sealEvent(submission: Submission, draft: Draft): Tip & { readonly heldLots: readonly string[] } {
    const { tenantId, caller } = submission;
    const event = eventOfDraft(draft);
    const version = versionOfEvent(event);
    const tip = this.#seal((recordedAt) =>
      eventPayloadText({ brand: tenantId, eventText: draft.eventText, recordedAt, version }),
    );
    const { height } = tip;
    const heldLots = this.#derived.insertEvent({ height, tenantId, event });
    this.#rows.chain.insertPrivateOfEvent(height, draft);
    this.#postings.add(height, submission, draft);
    if (draft.groupKey !== null) {
      this.#derived.insertGroupKey(tenantId, draft.groupKey, height);
    }
    for (const lotCode of heldLots) {
      this.#rows.chain.insertAuditEntry({
        at: this.#nowText,
        tenantId,
        caller,
        action: 'hold_breach',
        entityType: 'lot',
        entityId: lotCode,
        blockHeight: height,
        details: { event_type: event.event_type },
      });
    }
    return { ...tip, heldLots };
  }

  /** Seals the next block and writes it. The caller writes its derived rows. */
  #seal(payloadText: (recordedAt: string) => string): Tip {
    const head = this.#current();
    const now = this.#nowText;
    // Time on the chain never goes backwards, whatever the machine's clock does.
    const recordedAt = now > head.recordedAt ? now : head.recordedAt;
    const sealed = sealBlock({
      height: head.height + 1,
      payloadText: payloadText(recordedAt),
      prevHash: head.hash,
      hash: sha256Hex,
    });
    this.#rows.chain.insertBlock(blockRow(sealed));
    this.#leaves.push(toLeaf(sealed.blockHash));
    this.#head = { ...head, height: sealed.height, hash: sealed.blockHash, recordedAt };
    return { height: sealed.height, hash: sealed.blockHash };
  }
}

/** Events that corrections of one submission are about, as they count after those that are sealed. */
type CorrectionTargets = Map<number, CorrectionTarget>;

interface Repeats {
  readonly kind: 'repeats';
  /** Index of the draft of the same submission that is repeated. */
  readonly index: number;
}

function repeatKey(draft: Draft): string | undefined {
  if (draft.externalId !== null) return `id:${draft.externalId}`;
  return draft.groupKey === null ? undefined : `group:${draft.groupKey}`;
}

/** A draft as if it was stored, for one that follows it. */
function partsOfDraft(draft: Draft): StoredEventParts {
  const lines = new Map<number, PrivateLine>(
    draft.privateLines.map((line) => [line.line_no, line]),
  );
  return {
    height: -1,
    event: eventOfDraft(draft),
    privateValues: { lines, notes: draft.privateNotes },
  };
}
