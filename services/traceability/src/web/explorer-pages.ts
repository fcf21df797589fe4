// The chain for people: overview and list of blocks, one block with its text and how to check it,
// and search.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Static } from 'typebox';
import type { BlockDetail } from '../explorer/block-detail.ts';
import type { BlockPage } from '../explorer/pages.ts';
import type { StatsSchema } from '../explorer/schema.ts';
import type { SearchAnswer } from '../explorer/search.ts';
import type { BlockItem, Transaction } from '../explorer/views.ts';
import type { LogStanding } from '../log/standing.ts';
import { changesOfBlock, changesOfBlocks, correctedBy, correctionOf } from './corrections.ts';
import { decisionOf } from './decisions.ts';
import {
  blockLink,
  blockPath,
  code,
  hash,
  lotLink,
  searchForm,
  time,
  verdict,
  wideTable,
} from './fragments.ts';
import { eventWords } from './labels.ts';
import type { Page } from './layout.ts';
import { logModule, logSection } from './log-words.ts';

/** Characters of a block's text on its page; the whole text has an address of its own. */
const CANONICAL_SHOWN_MAX = 20_000;
/** Lines of a block on its page; all of them stand in its text. */
const TRANSACTIONS_SHOWN_MAX = 200;

function canonicalPath(height: number): string {
  return `${blockPath(height)}/canonical.txt`;
}

export function explorerPage(answer: {
  readonly stats: Static<typeof StatsSchema>;
  readonly page: BlockPage;
  /** Of the newest block. */
  readonly standing: LogStanding;
}): Page {
  const { stats, page, standing } = answer;
  return {
    title: 'Chain explorer',
    ...logModule(standing),
    body: html`
      <h1>Chain explorer</h1>
      ${verdict(
        stats.chain_valid,
        stats.chain_valid
          ? html`<strong>The chain is valid:</strong> no difference is known between what is stored
              and what was hashed.`
          : html`<strong>The chain is not valid:</strong> what is stored differs from what was
              hashed.`,
      )}
      ${searchForm()}
      <dl class="figures">
        <div>
          <dt>Blocks</dt>
          <dd>${stats.blocks}</dd>
        </div>
        <div>
          <dt>Transactions</dt>
          <dd>${stats.transactions}</dd>
        </div>
        <div>
          <dt>Lots</dt>
          <dd>${stats.lots}</dd>
        </div>
        <div>
          <dt>Brands</dt>
          <dd>${stats.brands}</dd>
        </div>
      </dl>
      <dl>
        <dt>Newest block</dt>
        <dd>${blockLink(stats.height)}: ${hash(stats.tip_hash)}</dd>
        <dt>Name of the chain (hash of block 0)</dt>
        <dd>${hash(stats.chain_id)}</dd>
        <dt>Read again and found good</dt>
        <dd>
          up to block
          ${stats.verified_through}${
            stats.verified_at === null ? null : html`, ${time(stats.verified_at)}`
          }
        </dd>
      </dl>
      ${logSection(standing, { kind: 'block' })}
      <h2>Blocks, newest first</h2>
      ${blockTable(page.blocks)}
      ${
        page.next === null
          ? null
          : html`<p><a rel="next" href="/explorer?before=${page.next}">Older blocks</a></p>`
      }
      <p>For programs: <a href="/public/explorer">the same as JSON</a>.</p>
    `,
  };
}

function blockTable(blocks: readonly BlockItem[]): Html {
  return wideTable(
    'Blocks',
    ['Block', 'Recorded', 'Brand', 'What', 'Hash'],
    blocks.map(
      (block) =>
        html`<tr>
          <td>${blockLink(block.height)}</td>
          <td>${time(block.recorded_at)}</td>
          <td>${block.brand === null ? null : code(block.brand)}</td>
          <td><bdi>${block.summary}</bdi></td>
          <td>${hash(block.block_hash)}</td>
        </tr>`,
    ),
  );
}

export function blockPage(
  block: BlockDetail,
  shown: {
    /** Without a slash at the end; stands in the command that checks the block. */
    readonly publicUrl: string;
    readonly standing: LogStanding;
  },
): Page {
  const { publicUrl, standing } = shown;
  const path = canonicalPath(block.height);
  const isCut = block.canonical.length > CANONICAL_SHOWN_MAX;
  return {
    title: `Block ${block.height}`,
    ...logModule(standing),
    body: html`
      <h1>Block ${block.height}</h1>
      <p class="lead"><bdi>${block.summary}</bdi></p>
      ${verdict(
        block.intact,
        block.intact
          ? html`<strong>Intact:</strong> its text has just been hashed again and gives its hash.`
          : html`<strong>Not intact:</strong> its text as stored does not give its hash.`,
      )}
      <dl>
        <dt>Hash (SHA-256 of the text below)</dt>
        <dd>${hash(block.block_hash)}</dd>
        <dt>Hash of the block before</dt>
        <dd>
          ${hash(block.prev_hash)}${
            block.height === 0 ? null : html` (${blockLink(block.height - 1)})`
          }
        </dd>
        <dt>Recorded</dt>
        <dd>${time(block.recorded_at)}</dd>
        ${
          block.brand === null
            ? null
            : html`<dt>Brand</dt>
                <dd>${code(block.brand)}</dd>`
        }
        <dt>Kind</dt>
        <dd>${eventWords(block.event_type)}</dd>
      </dl>
      ${decisionOf(block)} ${correctedBy(block)} ${correctionOf(block)} ${transactions(block)}
      <h2>The text that was hashed</h2>
      <pre class="canonical">${block.canonical.slice(0, CANONICAL_SHOWN_MAX)}</pre>
      ${
        isCut
          ? html`<p>
              These are the first ${CANONICAL_SHOWN_MAX} of ${block.canonical.length} characters.
            </p>`
          : null
      }
      <p><a href="${path}">The whole text alone</a>, without a line end, to be hashed as it is.</p>
      ${logSection(standing, { kind: 'block' })}
      <h2>Check it yourself</h2>
      <p>In a shell, this prints the hash above:</p>
      <pre>curl -sS '${publicUrl}${path}' | sha256sum</pre>
      <p>
        That checks the text. To check that no block before it was changed,
        <a href="/api-docs#verifying-everything-yourself">verify the whole chain</a>.
      </p>
      <nav class="beside" aria-label="Blocks beside this one">
        ${block.height === 0 ? null : html`<a rel="prev" href="${blockPath(block.height - 1)}">Block before</a>`}
        <a rel="next" href="${blockPath(block.height + 1)}">Block after</a>
        <a href="/explorer">All blocks</a>
      </nav>
    `,
  };
}

function transactions(block: BlockDetail): Html | null {
  if (block.transactions.length === 0) return null;
  const shown = block.transactions.slice(0, TRANSACTIONS_SHOWN_MAX);
  return html`${
    block.corrects_height === undefined
      ? html`<h2>Lots in this block</h2>
          ${lineTable(shown)}`
      : html`<h2>What was wrong</h2>
          ${changesOfBlock(shown)}`
  }
  ${
    shown.length < block.transactions.length
      ? html`<p>
          These are the first ${shown.length} of ${block.transactions.length}; all stand in the
          text.
        </p>`
      : null
  }`;
}

function lineTable(lines: readonly Transaction[]): Html {
  return wideTable(
    'Lines of events',
    ['Lot', 'Product', 'Direction', 'Quantity', 'Event', 'Occurred', 'Block'],
    lines.map(
      (line) =>
        html`<tr>
          <td>${line.lot_code === null ? null : lotLink(line.lot_code, line.brand)}</td>
          <td>${line.product_sku === null ? null : code(line.product_sku)}</td>
          <td>${line.direction}</td>
          <td>${line.quantity} <bdi>${line.unit}</bdi></td>
          <td>${eventWords(line.event_type)} at <bdi>${line.location}</bdi></td>
          <td>${line.occurred_at === null ? null : time(line.occurred_at)}</td>
          <td>${blockLink(line.height)}</td>
        </tr>`,
    ),
  );
}

export function searchPage(q: string, answer: SearchAnswer): Page {
  const { blocks, lots } = answer;
  const lines = answer.transactions.filter((one) => one.corrects_height === undefined);
  const changes = answer.transactions.filter((one) => one.corrects_height !== undefined);
  const isEmpty = blocks.length + answer.transactions.length + lots.length === 0;
  return {
    title: `Search: ${q}`,
    body: html`
      <h1>Search the chain</h1>
      ${searchForm(q)}
      ${
        isEmpty
          ? html`<p>
              Nothing begins with ${code(q)}. Upper and lower case differ in lot codes and
              references; of a hash give 4 digits or more.
            </p>`
          : null
      }
      ${
        lots.length === 0
          ? null
          : html`<h2>Lots</h2>
              <ul>
                ${lots.map(
                  (lot) =>
                    html`<li>
                      ${lotLink(lot.lot_code, lot.brand)} of ${code(lot.brand)}, product
                      ${code(lot.product_sku)}
                    </li>`,
                )}
              </ul>`
      }
      ${
        blocks.length === 0
          ? null
          : html`<h2>Blocks</h2>
              ${blockTable(blocks)}`
      }
      ${
        lines.length === 0
          ? null
          : html`<h2>Transactions</h2>
              ${lineTable(lines)}`
      }
      ${
        changes.length === 0
          ? null
          : html`<h2>Corrections</h2>
              ${changesOfBlocks(changes)}`
      }
    `,
  };
}
