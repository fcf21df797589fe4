// Writes the proof of a lot in words with a button that checks it; a fold contains the blocks, the
// chain and the public log in detail.
import { icon } from '@lothub/design/icons';
import { wideTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { LogStanding } from '../../log/standing.ts';
import type { Verification } from '../../verification/schema.ts';
import type { VerifiedLot } from '../../verification/verify-lot.ts';
import { blockLink, brandName, code, fold, hash, listed, verdict } from '../fragments.ts';
import { holdWords, statusWords } from '../labels.ts';
import { checkPlace, logAnswer, logDetail, logEntry, type Checked } from '../log-words.ts';
import { lotChainPath } from '../explorer/pieces.ts';
import type { Reader } from '../words/reader.ts';

/** Blocks named in a sentence. */
const BLOCKS_NAMED_MAX = 5;

export function proof(verified: VerifiedLot, standing: LogStanding, reader: Reader): Html {
  const { answer: lot } = verified;
  const words = reader.words.lot;
  const brand = brandName(lot.brand, reader);
  return html`<section aria-labelledby="proof">
    <h2 id="proof">${words.proof}</h2>
    ${
      lot.verified
        ? html`<p>${words.verified(brand)}</p>`
        : verdict(false, notVerified(verified, reader))
    }
    ${logAnswer(standing, reader)} ${checkPlace(standing, describeChecked(lot), reader)}
  </section>`;
}

function notVerified({ unverified }: VerifiedLot, reader: Reader): Html {
  const { blocksNotVerified, notVerified: nothing } = reader.words.lot;
  return unverified.length === 0 ? nothing : blocksNotVerified(blocksInWords(unverified, reader));
}

export function proofInDetail(
  { answer: lot }: VerifiedLot,
  standing: LogStanding,
  reader: Reader,
): Html {
  const words = reader.words.lot;
  return fold({
    icon: icon('shield'),
    heading: words.proofInDetail,
    content: html`${logEntry(standing, reader)} ${logDetail(standing, describeChecked(lot), reader)}
      <dl class="facts">
        ${fact(words.status, html`${formatStatuses(lot, reader)}`)}
        ${fact(words.owner, html`${brandName(lot.brand, reader)} (${code(lot.brand.id)})`)}
        ${fact(words.keeper, html`${lot.trust.hub}`)}
        ${fact(
          words.chainState,
          html`${lot.ledger.chain_valid ? words.chainValid : words.chainInvalid}`,
        )}
        ${fact(
          words.newestBlock,
          html`${blockLink(lot.ledger.height, reader)}: ${hash(lot.ledger.tip_hash)}`,
        )}
        ${fact(words.chainName, hash(lot.ledger.chain_id))}
      </dl>
      <p>${words.blocksIntro}</p>
      ${wideTable(
        words.blocks,
        [words.block, words.hash],
        lot.proof.map(
          ({ height, block_hash: blockHash }) =>
            html`<tr>
              <td>${blockLink(height, reader)}</td>
              <td>${hash(blockHash)}</td>
            </tr>`,
        ),
      )}
      ${lot.truncated ? html`<p>${words.truncated}</p>` : null}
      <p>
        <a href="${lotChainPath(lot.lot.lot_code, lot.brand.id)}"
          >${reader.words.explorer.lotChain.link}</a
        >
      </p>`,
  });
}

function fact(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** The warning for a lot that is not verified. */
function formatStatuses(lot: Verification, reader: Reader): string {
  const { status, hold_status: holdStatus } = lot.lot;
  const statuses = [
    ...(lot.verified || status === 'recalled' ? [statusWords(status, reader)] : []),
    ...(lot.verified || holdStatus === 'on_hold' ? [holdWords(holdStatus, reader)] : []),
  ];
  return statuses.length === 0 ? reader.words.lot.verdicts.unconfirmed : statuses.join(', ');
}

/** Blocks as links in a sentence; the first of many. */
export function blocksInWords(heights: readonly number[], reader: Reader): Html {
  const shown = heights.slice(0, BLOCKS_NAMED_MAX).map((height) => blockLink(height, reader));
  const more = heights.length - shown.length;
  const rest = reader.words.lot.more(reader.formats.number(more));
  return listed(more > 0 ? [...shown, html`${rest}`] : shown, reader);
}

function describeChecked(lot: Verification): Checked {
  const query = new URLSearchParams({ brand: lot.brand.id });
  const path = `/public/verify/${encodeURIComponent(lot.lot.lot_code)}/evidence`;
  return { kind: 'lot', evidencePath: `${path}?${query.toString()}` };
}
