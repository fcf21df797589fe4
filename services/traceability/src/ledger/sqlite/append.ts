// Appends submissions to the chain in SQLite: looks up repeats, seals, and writes block and derived
// rows. Runs in the writer thread, inside the transaction of one group commit.
import { sealBlock } from '@lothub/chain';
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/hash';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { PrivateLine } from '../commitment.ts';
import type {
  CorrectionOutcome,
  CorrectionSubmission,
  Draft,
  DraftOutcome,
  HoldChange,
  HoldOutcome,
  Submission,
  Tip,
} from '../draft.ts';
import { correctionPayloadText, eventPayloadText, payloadOf } from '../payload.ts';
import type { ChainCorrection, ChainEvent } from '../payload.ts';
import { differingFields } from '../replay.ts';
import type { StoredPrivate } from '../replay.ts';
import { insertAuditEntry } from './audit-rows.ts';
import { insertBlock, raiseAlarm, readHead, readTip } from './block-rows.ts';
import type { Head } from './block-rows.ts';
import { findCorrectionTarget } from './correction-rows.ts';
import { DerivedRows } from './derived-rows.ts';
import { changeHold } from './hold-rows.ts';
import type { StatementJob } from './jobs.ts';
import { insertPrivateOfCorrection, insertPrivateOfEvent, storedPrivate } from './private-rows.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const DATA_VERSION = 'pragma data_version';
const FIND_CANONICAL = 'select canonical from blocks where height = ?';
const FIND_HASH = 'select hash from blocks where height = ?';

/** A submission's answer before the group's last block is known. */
interface Appended {
  readonly outcomes: readonly DraftOutcome[];
}

export class SqliteAppender {
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;
  readonly #rows: DerivedRows;
  /** The tip this writer left behind; another one in the database means somebody else wrote. */
  #known: Head | undefined;
  #head: Head | undefined;
  #now = { ms: -1, text: '' };
  #dataVersion = 0;

  constructor(options: { readonly connection: SqliteConnection; readonly clock: Clock }) {
    this.#connection = options.connection;
    this.#clock = options.clock;
    this.#rows = new DerivedRows(options.connection);
  }

  /** Takes the head for one transaction. Raises an alarm when the stored tip is not the known one. */
  begin(): void {
    const known = this.#known;
    const tip = readTip(this.#connection);
    const unchanged = known?.height === tip.height && known.hash === tip.hash;
    const head = unchanged ? known : readHead(this.#connection);
    if (known !== undefined && !unchanged) {
      raiseAlarm(this.#connection, {
        height: Math.min(known.height, head.height + 1),
        code: 'tip_changed',
        message: `the last block is ${head.height} but block ${known.height} was sealed last`,
        foundAt: instantText(this.#clock.nowMs()),
      });
    }
    // Whoever else wrote may have moved the rows whose numbers are remembered.
    if (this.#wroteElse()) this.#rows.forget();
    this.#head = head;
    this.#rows.begin();
  }

  append(submission: Submission): Appended {
    const outcomes = this.#plan(submission);
    const refused =
      submission.unit === 'all' && outcomes.some((outcome) => outcome?.kind === 'conflict');
    const repeats = new Map<number, number>();
    return {
      outcomes: submission.drafts.map((draft, index): DraftOutcome => {
        const planned = outcomes[index];
        if (planned?.kind === 'repeats') {
          if (refused) return { kind: 'withheld' };
          const height = repeats.get(planned.index) ?? 0;
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

  /** Seals a correction and applies it, unless the event was corrected since it was planned. */
  correct(
    submission: CorrectionSubmission,
  ): Exclude<CorrectionOutcome, { kind: 'appended' }> | Tip {
    const { tenantId, correctsHeight } = submission;
    const target = findCorrectionTarget(this.#connection, correctsHeight);
    if (
      target?.brand !== tenantId ||
      target.effective.correctedBy.length !== submission.afterCount
    ) {
      return { kind: 'stale' };
    }
    const sealed = this.#seal((recordedAt) =>
      correctionPayloadText({
        brand: tenantId,
        correctionText: submission.correctionText,
        recordedAt,
      }),
    );
    const { height } = sealed;
    const correction = JSON.parse(submission.correctionText) as ChainCorrection;
    this.#rows.insertCorrection({ height, target, correction });
    insertPrivateOfCorrection(this.#connection, height, submission);
    insertAuditEntry(this.#connection, {
      at: this.#nowText(),
      tenantId,
      caller: submission.caller,
      action: 'correct_event',
      entityType: 'event',
      entityId: String(correctsHeight),
      blockHeight: height,
      details: { changes: correction.changes.length },
    });
    return sealed;
  }

  changeHold(change: HoldChange): HoldOutcome {
    this.#rows.lots.forgetHolds();
    return changeHold(this.#connection, change, this.#nowText());
  }

  /** Small writes beside the chain, in their order; answers the rows that each returned. */
  write(statements: readonly StatementJob[]): readonly (readonly unknown[])[] {
    return statements.map((statement) =>
      this.#connection.statement(statement.text).all(...statement.values),
    );
  }

  /** Writes the new head. A crash before the commit that follows leaves nothing of the group. */
  end(): Tip {
    const head = this.#current();
    this.#rows.end(head);
    return { height: head.height, hash: head.hash };
  }

  /** What can wait until nobody writes, a little of it. @returns true when there is more */
  idle(): boolean {
    if (this.#wroteElse()) this.#rows.forget();
    return this.#rows.lots.search.takeIn();
  }

  /** The group is on disk. @returns the new tip; nothing when the group appended nothing */
  committed(): Tip | undefined {
    if (this.#head !== undefined) this.#known = this.#head;
    this.#head = undefined;
    return this.#known;
  }

  /**
   * The group was undone, alarm and all: forget what it would have written. The known tip stays, so
   * that the next group raises the alarm again.
   */
  undone(): void {
    this.#head = undefined;
    this.#rows.forget();
  }

  /** Whether another connection has committed since this one looked last. */
  #wroteElse(): boolean {
    const row = this.#connection.statement(DATA_VERSION).get();
    const version = Number(row?.['data_version']);
    const changed = version !== this.#dataVersion;
    this.#dataVersion = version;
    return changed;
  }

  #current(): Head {
    if (this.#head === undefined) throw new Error('appending outside of a transaction');
    return this.#head;
  }

  /** What is known of each draft before anything is written; undefined: it is new. */
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
      const fields = differingFields(
        JSON.parse(first.eventText) as ChainEvent,
        draft,
        privateOfDraft(first),
      );
      if (fields.length === 0) return { kind: 'repeats', index: earlier };
      // Two imported groups whose public content is the same but not the private one are two events.
      if (draft.externalId === null) return undefined;
      return { kind: 'conflict', height: -1, fields };
    });
  }

  #findStored(tenantId: string, draft: Draft): DraftOutcome | undefined {
    if (draft.externalId !== null) {
      const height = this.#rows.heightOfExternalId(tenantId, draft.externalId);
      if (height === undefined) return undefined;
      const fields = this.#differences(height, draft);
      if (fields.length === 0) return { kind: 'replayed', height, hash: this.#hashAt(height) };
      return { kind: 'conflict', height, fields };
    }
    if (draft.contentKey === null) return undefined;
    for (const height of this.#rows.heightsOfContentKey(tenantId, draft.contentKey)) {
      if (this.#differences(height, draft).length === 0) {
        return { kind: 'replayed', height, hash: this.#hashAt(height) };
      }
    }
    return undefined;
  }

  #differences(height: number, draft: Draft): readonly string[] {
    const row = this.#connection.statement(FIND_CANONICAL).get(height);
    const payload = payloadOf(String(row?.['canonical']));
    if (payload.type !== 'event') return ['event_type'];
    return differingFields(payload.event, draft, storedPrivate(this.#connection, height));
  }

  /** The clock's text, made once for each millisecond: a group seals many blocks in one. */
  #nowText(): string {
    const ms = this.#clock.nowMs();
    if (ms !== this.#now.ms) this.#now = { ms, text: instantText(ms) };
    return this.#now.text;
  }

  #hashAt(height: number): string {
    const row = this.#connection.statement(FIND_HASH).get(height);
    return String(row?.['hash']);
  }

  #sealEvent(
    { tenantId, caller }: Submission,
    draft: Draft,
  ): Tip & { readonly heldLots: readonly string[] } {
    const tip = this.#seal((recordedAt) =>
      eventPayloadText({ brand: tenantId, eventText: draft.eventText, recordedAt }),
    );
    const { height } = tip;
    const event = JSON.parse(draft.eventText) as ChainEvent;
    const heldLots = this.#rows.insertEvent({ height, tenantId, event });
    insertPrivateOfEvent(this.#connection, height, draft);
    if (draft.contentKey !== null) {
      this.#rows.insertContentKey(tenantId, draft.contentKey, height);
    }
    for (const lotCode of heldLots) {
      insertAuditEntry(this.#connection, {
        at: this.#nowText(),
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

  /** Seals the next block and writes it; its derived rows are the caller's. */
  #seal(payloadText: (recordedAt: string) => string): Tip {
    const head = this.#current();
    const now = this.#nowText();
    // Time on the chain never goes backwards, whatever the machine's clock does.
    const recordedAt = now > head.recordedAt ? now : head.recordedAt;
    const sealed = sealBlock({
      height: head.height + 1,
      payloadText: payloadText(recordedAt),
      prevHash: head.hash,
      hash: sha256Hex,
    });
    insertBlock(this.#connection, sealed);
    this.#head = { height: sealed.height, hash: sealed.blockHash, recordedAt };
    return { height: sealed.height, hash: sealed.blockHash };
  }
}

interface Repeats {
  readonly kind: 'repeats';
  /** Index of the draft of the same submission that is repeated. */
  readonly index: number;
}

function repeatKey(draft: Draft): string | undefined {
  if (draft.externalId !== null) return `id:${draft.externalId}`;
  return draft.contentKey === null ? undefined : `content:${draft.contentKey}`;
}

function privateOfDraft(draft: Draft): StoredPrivate {
  return {
    lines: new Map<number, PrivateLine>(draft.privateLines.map((line) => [line.lineNo, line])),
    notes: draft.privateNotes,
  };
}
