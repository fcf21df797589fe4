// The page of one block: who recorded what, when and of which lots; then its text, which anybody
// can hash, and the blocks before and after it.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { BlockDetail } from '../../explorer/block-detail.ts';
import type { Block } from '../../ledger/read.ts';
import type { LogStanding } from '../../log/standing.ts';
import type { WholeSteps } from '../../lots/decided/whole-steps.ts';
import type { PlaceProfiles, ProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { blockLink, blockPath, place, readersTime, verdict } from '../fragments.ts';
import type { Page } from '../layout.ts';
import { logModule, logSection } from '../log-words.ts';
import type { Reader } from '../words/reader.ts';
import { changesOfBlock, correctedBy, renderCorrection } from './corrections.ts';
import { renderDecision } from './decision-facts.ts';
import { factListOrNothing } from '../fact-list.ts';
import { findBlockBrand } from '../../explorer/views.ts';
import { brandWords } from './block-list.ts';
import { linesOfBlock } from './line-tables.ts';
import { copiedHash, toTypeName, typeWords } from './pieces.ts';
import { indented } from './raw-text.ts';
import { renderSentence } from './sentences.ts';

/** Characters of a block's text on its page; the whole text has an address of its own. */
const CANONICAL_SHOWN_MAX = 20_000;
/** Lines of a block on its page; all of them are in its text. */
const TRANSACTIONS_SHOWN_MAX = 200;

export interface ShownBlock {
  readonly block: Block;
  readonly steps: WholeSteps;
  readonly detail: BlockDetail;
  /** The first blocks that correct it. */
  readonly corrections: readonly BlockDetail[];
  /** The public name of the brand; undefined when it has none. */
  readonly brandName: string | undefined;
  readonly products: ProductProfiles;
  readonly places: PlaceProfiles;
  readonly standing: LogStanding;
  readonly headHeight: number;
  /**
   * The public address, without a slash at the end; the command that checks the block contains it.
   */
  readonly publicUrl: string;
}

export function blockPage(shown: ShownBlock, reader: Reader): Page {
  const { block, steps, detail, corrections, standing } = shown;
  const { block: words } = reader.words.explorer;
  const title = reader.words.labels.block(String(block.height));
  return {
    title,
    ...logModule(standing),
    body: html`
      ${renderPager(shown, reader)}
      <h1>${title}</h1>
      <p class="lead">${renderSentence(block, steps, reader)}</p>
      ${verdict(block.sound, block.sound ? words.intact : words.notIntact)}
      <section aria-labelledby="facts">
        <h2 id="facts">${words.facts}</h2>
        ${facts(shown, reader)}
      </section>
      ${renderDecision(block.payload, reader)} ${correctedBy(detail, corrections, reader)}
      ${renderCorrection(detail, reader)} ${transactions(shown, reader)} ${raw(shown, reader)}
      ${logSection(standing, { kind: 'block' }, reader)}
    `,
  };
}

function facts({ block, brandName, places }: ShownBlock, reader: Reader): Html | null {
  const { height, payload } = block;
  const { block: words } = reader.words.explorer;
  const brand = findBlockBrand(payload);
  const event = payload.type === 'event' ? payload.event : undefined;
  const decidedAt = 'decision' in payload ? payload.decision.at : undefined;
  return factListOrNothing([
    [words.brand, brand === null ? null : brandWords(brand, brandName)],
    [words.type, typeWords(toTypeName(block), reader)],
    [
      words.place,
      event === undefined ? null : place(event.location, places.get(event.location), reader),
    ],
    [words.occurred, event === undefined ? null : readersTime(event.occurred_at, reader)],
    [words.decided, decidedAt === undefined ? null : readersTime(decidedAt, reader)],
    [words.recorded, payload.recorded_at === '' ? null : readersTime(payload.recorded_at, reader)],
    [words.reference, event === undefined ? null : html`<bdi>${event.reference}</bdi>`],
    [words.hash, copiedHash(block.hash, reader)],
    [
      words.before,
      html`${copiedHash(block.prevHash, reader)}
      ${height === 0 ? null : blockLink(height - 1, reader)}`,
    ],
  ]);
}

function transactions(shown: ShownBlock, reader: Reader): Html | null {
  const { transactions: all, corrects_height: corrects } = shown.detail;
  if (all.length === 0) return null;
  const { block: words, corrected } = reader.words.explorer;
  const first = all.slice(0, TRANSACTIONS_SHOWN_MAX);
  const number = (value: number) => reader.formats.number(value);
  const isCorrection = corrects !== undefined;
  return html`<section aria-labelledby="lots">
    <h2 id="lots">${isCorrection ? corrected.changes : words.lots}</h2>
    ${isCorrection ? changesOfBlock(first, reader) : linesOfBlock(first, shown.products, reader)}
    ${first.length < all.length ? html`<p>${words.shown(number(first.length), number(all.length))}</p>` : null}
  </section>`;
}

function raw({ block, publicUrl }: ShownBlock, { words, formats }: Reader): Html {
  const { block: said } = words.explorer;
  const path = `${blockPath(block.height)}/canonical.txt`;
  const { canonical } = block;
  const first = canonical.slice(0, CANONICAL_SHOWN_MAX);
  return html`<details class="fold">
    <summary><h2>${said.raw}</h2></summary>
    <p>${said.indented}</p>
    <pre class="canonical" tabindex="0">${indented(first)}</pre>
    ${
      first.length < canonical.length
        ? html`<p>${said.cut(formats.number(first.length), formats.number(canonical.length))}</p>`
        : null
    }
    <p>${said.whole(path)}</p>
    <p>${said.check}</p>
    <pre>curl -sS '${publicUrl}${path}' | sha256sum</pre>
    <p>${said.checkAll('/api-docs#verifying-everything-yourself')}</p>
  </details>`;
}

function renderPager({ block: { height }, headHeight }: ShownBlock, reader: Reader): Html {
  const { block: words } = reader.words.explorer;
  return html`<nav class="pager" aria-label="${words.beside}">
    ${
      height === 0
        ? null
        : html`<a rel="prev" href="${blockPath(height - 1)}">${icon('back')} ${words.previous}</a>`
    }
    ${
      height >= headHeight
        ? null
        : html`<a rel="next" href="${blockPath(height + 1)}">${words.next} ${icon('next')}</a>`
    }
    <a href="/explorer">${words.all}</a>
  </nav>`;
}
