// The last sections of a report: the corrections, how everything is checked against the chain, and
// who is responsible for it.
import { html, type Html } from '@lothub/kit/html';
import { blockPath, code, hash } from '../../web/fragments.ts';
import { fieldWords } from '../../web/labels.ts';
import type { CaseReport, ReportCorrection } from './case-report.ts';
import {
  ENGLISH,
  count,
  formatTotal,
  listTable,
  minute,
  time,
  words,
  wordsOr,
} from './report-fragments.ts';
import type { Part } from './report-fragments.ts';
import { block } from './report-scope.ts';

export function correctionSection(report: CaseReport): Part {
  return [
    html`<p>
      Nothing that was recorded is changed. A correction is a block of its own, which names the
      block that it corrects; what it says counts in all sections above.
    </p>`,
    listTable(report.corrections, {
      caption: `Corrections of events of covered lots (${formatTotal(report.corrections)}), newest first`,
      columns: [
        { head: 'Recorded', share: 17 },
        { head: 'Block', share: 9, align: 'number' },
        { head: 'Corrects block', share: 11, align: 'number' },
        { head: 'Reason', share: 26 },
        { head: 'Changes', share: 37 },
      ],
      row: (correction) => [
        minute(correction.recordedAt),
        count(correction.height),
        count(correction.corrects.height),
        words(correction.reason),
        renderChanges(correction),
      ],
      none: 'No event of these lots was corrected.',
      rest: html`All of a lot: ${code('GET /v1/lots/{lot_code}/chain')}.`,
    }),
  ];
}

function renderChanges({ changes }: ReportCorrection): Html {
  const more = changes.total - changes.items.length;
  return html`${changes.items.map(
    ({ field, from, to }, index) =>
      html`${index === 0 ? null : html`<br />`}${fieldWords(field, ENGLISH)}:
      ${wordsOr(from, 'nothing')} → ${wordsOr(to, 'nothing')}`,
  )}${more > 0 ? html`<br />and ${count(more)} more` : null}`;
}

export function evidenceSection(report: CaseReport): Part {
  const { chain, hub } = report;
  return [
    html`<p>
        Each event is one block of an append-only chain of SHA-256 hashes, which is public: whoever
        holds the hash of a block can prove later that nothing up to it was changed, added or left
        out. That what was recorded is true and complete is the word of the recalling firm.
      </p>
      <dl class="facts">
        <dt>Chain</dt>
        <dd>${hash(chain.chainId)}, kept by ${words(hub.name)}</dd>
        <dt>Newest block of this report</dt>
        <dd>${block(report, chain.tip)}</dd>
        <dt>Block of the opening</dt>
        <dd>${block(report, report.openedOn)}</dd>
        <dt>State of the chain</dt>
        <dd>
          ${
            chain.isValid
              ? 'no difference is known between what is stored and what was hashed'
              : 'what is stored differs from what was hashed'
          };
          verified through block ${count(chain.verifiedThrough)}
        </dd>
      </dl>
      <div class="keep">
        <h3>To check one block</h3>
        <p>Hash the text of the block; the result must be the hash below.</p>
        <pre><code>curl -sS ${hub.publicUrl}${blockPath(chain.tip.height)}/canonical.txt | sha256sum
# ${chain.tip.hash}</code></pre>
      </div>
      <div class="keep">
        <h3>To check the whole chain</h3>
        <p>
          verify.py shares no code with the hub. It reads every block and must come upon the newest
          block of this report:
        </p>
        <pre><code>curl -sS ${hub.publicUrl}/api-docs/verify.py -o verify.py
python3 verify.py --url ${hub.publicUrl} \\
  --checkpoint ${chain.tip.height}:${chain.tip.hash}</code></pre>
      </div>`,
    listTable(report.evidence, {
      caption: `Blocks that carry or correct the covered lots (${formatTotal(report.evidence)})`,
      columns: [
        { head: 'Block', share: 20 },
        { head: 'Hash (SHA-256), hashed again for this report', share: 80 },
      ],
      row: ({ height, hash: digest }) => [
        html`<a href="${hub.publicUrl}${blockPath(height)}">${count(height)}</a>`,
        hash(digest),
      ],
      none: 'No block carries these lots.',
      rest: html`All of a lot: ${code('GET /public/explorer/lot/{lot_code}')}.`,
    }),
  ];
}

const SIGNERS = [
  'Prepared by: name, function, date',
  'Reviewed by (quality assurance): name, function, date',
  'Released by (recalling firm): name, function, date',
  'Received by (authority): name, office, date',
] as const;

export function signatureSection(report: CaseReport): Html {
  return html`<div class="keep">
    <p>
      This report was made from the records of ${words(report.hub.name)} on ${time(report.madeAt)}
      and is complete through block ${count(report.chain.tip.height)}. A report that is made later
      may cover more.
    </p>
    <div class="signatures">${SIGNERS.map((signer) => html`<div>${signer}</div>`)}</div>
  </div>`;
}
