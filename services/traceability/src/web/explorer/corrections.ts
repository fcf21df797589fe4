// Shows corrections: on the page of the block that they correct, on their own pages, and in the
// results of a search. Each change shows the old value and the one that counts from then on.
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { BlockDetail } from '../../explorer/block-detail.ts';
import type { Transaction } from '../../explorer/views.ts';
import { findFacts, findFieldPath } from '../../ledger/record/field-path.ts';
import { blockLink, code, lotLink } from '../fragments.ts';
import { channelWords, exactInstantWords, fieldWords, statedStatusWords } from '../labels.ts';
import type { Reader } from '../words/reader.ts';
import { copiedHash, lookUpWord } from './pieces.ts';

/** Blocks that correct one block, on its page. */
export const CORRECTED_BY_SHOWN_MAX = 20;

/**
 * Writes how the event of this block was corrected; null when it still counts as it was recorded.
 * @param corrections the first blocks that correct it
 */
export function correctedBy(
  block: BlockDetail,
  corrections: readonly BlockDetail[],
  reader: Reader,
): Html | null {
  const { corrected: words, pair } = reader.words.explorer;
  const count = block.corrected_by_count ?? 0;
  if (count === 0) return null;
  const number = (value: number) => reader.formats.number(value);
  return html`<section aria-labelledby="corrected">
    <h2 id="corrected">${words.title}</h2>
    <p>${block.status === 'voided' ? words.voided : words.wrong} ${words.stays(count)}</p>
    ${corrections.map(
      (one) =>
        html`<article class="card">
          <h3>${blockLink(one.height, reader)} ${copiedHash(one.block_hash, reader)}</h3>
          <p>${pair(words.reason, html`<bdi>${one.reason}</bdi>`)}</p>
          ${changesOfBlock(one.transactions, reader)}
        </article>`,
    )}
    ${corrections.length < count ? html`<p>${words.first(number(corrections.length), number(count))}</p>` : null}
  </section>`;
}

/** Writes which block this one corrects, and why; null for a block that is no correction. */
export function renderCorrection(block: BlockDetail, reader: Reader): Html | null {
  const { corrected: words } = reader.words.explorer;
  const { corrects_height: height, corrects_hash: correctedHash, reason } = block;
  if (height === undefined || correctedHash === undefined) return null;
  return html`<section aria-labelledby="corrects">
    <h2 id="corrects">${words.corrects}</h2>
    <p>${words.correctsWhich(blockLink(height, reader))}</p>
    <dl class="facts">
      <dt>${words.reason}</dt>
      <dd><bdi>${reason}</bdi></dd>
      <dt>${words.hashOf}</dt>
      <dd>${copiedHash(correctedHash, reader)}</dd>
    </dl>
  </section>`;
}

/** The changes of one correction. */
export function changesOfBlock(changes: readonly Transaction[], reader: Reader): Html {
  const { corrected: words } = reader.words.explorer;
  return rowsTable({
    caption: words.changes,
    head: [reader.words.explorer.columns.what, words.before, words.after],
    rows: changes.map((change) => changeCells(change, reader)),
  });
}

/** Changes of several corrections, each with its block and the one it corrects. */
export function changesOfBlocks(changes: readonly Transaction[], reader: Reader): Html {
  const { corrected: words } = reader.words.explorer;
  const { what } = reader.words.explorer.columns;
  return rowsTable({
    caption: words.changes,
    head: [what, words.before, words.after, words.of, words.recordedIn],
    rows: changes.map((change) => [
      ...changeCells(change, reader),
      change.corrects_height === undefined ? null : blockLink(change.corrects_height, reader),
      blockLink(change.height, reader),
    ]),
  });
}

function changeCells(change: Transaction, reader: Reader): readonly (Html | string)[] {
  return [
    renderField(change, reader),
    renderValue(change, change.from, reader),
    renderValue(change, change.to, reader),
  ];
}

/** Names the field, with the lot of the changed line, unless the change itself names the lot. */
function renderField(change: Transaction, reader: Reader): Html {
  const field = fieldWords(change.field ?? '', reader);
  const isOfLot = findFieldPath(change.field ?? '')?.field === 'lot_code';
  if (change.lot_code === null || isOfLot) return html`${field}`;
  return reader.words.explorer.pair(field, lotLink(change.lot_code, change.brand));
}

/** Codes of the tenant are marked as codes; a private value is shown as private. */
function renderValue(
  change: Transaction,
  value: string | undefined,
  reader: Reader,
): Html | string {
  const { block, corrected } = reader.words.explorer;
  if (value === undefined) {
    const isPrivate = change.from === undefined && change.to === undefined;
    return isPrivate ? corrected.notPublic : corrected.nothing;
  }
  const path = findFieldPath(change.field ?? '');
  if (path === undefined) return html`<bdi>${value}</bdi>`;
  if (path.field === 'status') return statedStatusWords(value, reader);
  if (path.field === 'direction') return lookUpWord(block.direction, value);
  if (path.field === 'lot_code') return lotLink(value, change.brand);
  const facts = findFacts(path);
  // The time has seconds and fractions: the correction may concern only these.
  if (facts?.kind === 'instant') {
    return html`<time datetime="${value}">${exactInstantWords(value)}</time>`;
  }
  if (facts?.privacy === 'class') return channelWords(value, reader);
  return facts?.isCode === true ? code(value) : html`<bdi>${value}</bdi>`;
}
