// Corrections in plain words: on the page of the block that they correct, and on their own.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { BlockDetail } from '../explorer/block-detail.ts';
import type { Transaction } from '../explorer/views.ts';
import { findFacts, findFieldPath } from '../ledger/record/field-path.ts';
import { blockLink, code, hash, lotLink, wideTable } from './fragments.ts';
import { channelWords, exactInstantWords, fieldWords, statedStatusWords } from './labels.ts';

/** Blocks that correct one block, on its page. */
const CORRECTED_BY_SHOWN_MAX = 100;

/** What became of the event of this block; nothing when it still counts as it was recorded. */
export function correctedBy(block: BlockDetail): Html | null {
  const count = block.corrected_by_count ?? 0;
  if (count === 0) return null;
  const shown = block.corrected_by.slice(0, CORRECTED_BY_SHOWN_MAX);
  return html`<section class="corrected" aria-labelledby="corrected">
    <h2 id="corrected">Corrected later</h2>
    <p>
      ${
        block.status === 'voided'
          ? 'The brand says that this did not happen: the event counts for nothing any more.'
          : 'The brand says that something here was wrong.'
      }
      This block stays as it was recorded; what was wrong stands in
      ${count === 1 ? 'the block that corrects it' : `the ${count} blocks that correct it`}:
    </p>
    <ul>
      ${shown.map((by) => html`<li>${blockLink(by.height)}: ${hash(by.block_hash)}</li>`)}
    </ul>
    ${shown.length < count ? html`<p>These are the first ${shown.length}.</p>` : null}
  </section>`;
}

/** Which block this one corrects, and why; nothing for a block that is no correction. */
export function correctionOf(block: BlockDetail): Html | null {
  const { corrects_height: height, corrects_hash: correctedHash, reason } = block;
  if (height === undefined || correctedHash === undefined) return null;
  return html`<section class="corrected" aria-labelledby="corrects">
    <h2 id="corrects">Corrects an earlier block</h2>
    <p>
      The brand recorded this to say what was wrong in ${blockLink(height)}, which stays as it is.
    </p>
    <dl>
      <dt>Reason</dt>
      <dd><bdi>${reason}</bdi></dd>
      <dt>Hash of the corrected block</dt>
      <dd>${hash(correctedHash)}</dd>
    </dl>
  </section>`;
}

const CHANGE_HEAD = ['What', 'Before', 'From then on'] as const;

/** The changes of the correction whose page it is. */
export function changesOfBlock(changes: readonly Transaction[]): Html {
  return changeTable(
    CHANGE_HEAD,
    changes.map(
      (change) =>
        html`<tr>
          ${changeCells(change)}
        </tr>`,
    ),
  );
}

/** Changes of several corrections, each with its block and the one it corrects. */
export function changesOfBlocks(changes: readonly Transaction[]): Html {
  return changeTable(
    [...CHANGE_HEAD, 'Corrects', 'Block'],
    changes.map(
      (change) =>
        html`<tr>
          ${changeCells(change)}
          <td>
            ${change.corrects_height === undefined ? null : blockLink(change.corrects_height)}
          </td>
          <td>${blockLink(change.height)}</td>
        </tr>`,
    ),
  );
}

function changeTable(head: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="changes">${wideTable('Changes', head, rows)}</div>`;
}

function changeCells(change: Transaction): Html {
  return html`<td>${fieldWords(change.field ?? '')}${lotOf(change)}</td>
    <td>${valueOf(change, change.from)}</td>
    <td>${valueOf(change, change.to)}</td>`;
}

/** The lot of the changed line, unless the change itself names it. */
function lotOf(change: Transaction): Html | null {
  if (change.lot_code === null || fieldOf(change) === 'lot_code') return null;
  return html`: ${lotLink(change.lot_code, change.brand)}`;
}

function fieldOf(change: Transaction): string | undefined {
  return findFieldPath(change.field ?? '')?.field;
}

/** Codes of the tenant are marked as such; what is private is said to be. */
function valueOf(change: Transaction, value: string | undefined): Html | string {
  if (value === undefined) {
    const isPrivate = change.from === undefined && change.to === undefined;
    return isPrivate ? 'not public' : 'nothing';
  }
  const path = findFieldPath(change.field ?? '');
  if (path === undefined) return html`<bdi>${value}</bdi>`;
  if (path.field === 'status') return statedStatusWords(value);
  if (path.field === 'lot_code') return lotLink(value, change.brand);
  const facts = findFacts(path);
  // To the second and beyond: that may be all that was wrong.
  if (facts?.kind === 'instant') {
    return html`<time datetime="${value}">${exactInstantWords(value)}</time>`;
  }
  if (facts?.privacy === 'class') return channelWords(value);
  return facts?.isCode === true ? code(value) : html`<bdi>${value}</bdi>`;
}
