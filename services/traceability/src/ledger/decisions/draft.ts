// Decisions on their way to the chain, and the heights of blocks that are not sealed yet. Plain values only:
// they cross a thread.
import { canonicalize, computeCommitment, type JsonObject } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { newSalt } from '@lothub/kit/secrets/secrets';
import type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';
import { subjectOfDecision } from '../record/decisions/facts.ts';
import type { DecisionContents, DecisionType } from '../record/decisions/contents.ts';
import type { AuditSeal } from '../record/payload.ts';
import type { Tip } from '../draft.ts';
import type { PrivateDecisionRow } from '../tables/private.ts';

/** A private value of a decision: its row without the height. */
export type PrivateDecision = Omit<PrivateDecisionRow, 'height'>;

/** A decision ready to be sealed: everything but height, time and link. */
export interface DecisionDraft {
  readonly brand: string;
  readonly type: DecisionType;
  readonly subject: string;
  /** Canonical JSON of the content. */
  readonly decisionText: string;
  readonly committed: readonly PrivateDecision[];
}

/** The newest place and hash of the audit, ready to be sealed. */
export interface AuditDraft {
  readonly type: 'audit';
  readonly audit: AuditSeal;
}

/** Everything that a change can seal. */
export type BlockDraft = DecisionDraft | AuditDraft;

/** Values by the names under which a block commits to them; null: there is none. */
export type PrivateValues = Readonly<Record<string, string | null>>;

/** A change beside the chain, with the decisions that are sealed for it. */
export interface DecidedChange extends PlannedChange {
  /** Sealed in this order, after the guard and before the statements. */
  readonly decisions: readonly BlockDraft[];
}

export type DecidedOutcome =
  | (Extract<ChangeOutcome, { readonly kind: 'done' }> & {
      /** The block of each decision, in order. */
      readonly blocks: readonly Tip[];
    })
  | Extract<ChangeOutcome, { readonly kind: 'stale' }>;

/** @param content without `committed`, which is made from the private values */
export function draftDecision<Type extends DecisionType>(
  {
    brand,
    type,
    content,
  }: { readonly brand: string; readonly type: Type; readonly content: DecisionContents[Type] },
  privateValues: PrivateValues = {},
): DecisionDraft {
  const committed = Object.entries(privateValues).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value, salt: newSalt() }],
  );
  const commitments = Object.fromEntries(
    committed.map((one) => [one.name, decisionCommitment(one)]),
  );
  const whole = committed.length === 0 ? content : { ...content, committed: commitments };
  return {
    brand,
    type,
    subject: subjectOfDecision({ type, decision: content }),
    decisionText: canonicalize(whole as unknown as JsonObject),
    committed,
  };
}

/** SHA-256 hex over `{"<name>":…,"salt":…}`. */
export function decisionCommitment({ name, value, salt }: PrivateDecision): string {
  return computeCommitment({ values: { [name]: value }, salt }, sha256Hex);
}

/** A placeholder in a statement for the height of a block that is not sealed yet. */
export interface SealedHeight {
  /** Index of the decision in its change. */
  readonly sealedHeightOf: number;
}

export function sealedHeight(index: number): SealedHeight {
  return { sealedHeightOf: index };
}

/** Replaces the placeholders by the heights of the sealed blocks. */
export function withHeights(values: readonly unknown[], blocks: readonly Tip[]): unknown[] {
  return values.map((value) => {
    if (!isSealedHeight(value)) return value;
    const block = blocks[value.sealedHeightOf];
    if (block === undefined) throw new Error('a statement names a block that its change lacks');
    return block.height;
  });
}

function isSealedHeight(value: unknown): value is SealedHeight {
  return typeof value === 'object' && value !== null && 'sealedHeightOf' in value;
}
