// The sections of a report on the scope of the case: the times of its decisions, how the lots were
// found, the lots, and their links.
import { html, type Html } from '@lothub/kit/html';
import { blockPath, code, hash } from '../../web/fragments.ts';
import type {
  BlockPlace,
  CaseReport,
  DrawnGenealogy,
  ReportLot,
  ReportMove,
} from './case-report.ts';
import { drawGenealogy } from './genealogy-drawing.ts';
import {
  amounts,
  count,
  formatTotal,
  listTable,
  minute,
  minuteOr,
  plural,
  table,
  words,
  wordsOr,
} from './report-fragments.ts';
import type { Part, Section } from './report-fragments.ts';

export function timelineSection(report: CaseReport): Part {
  return [
    table({
      caption: 'What was decided',
      columns: [
        { head: 'When', share: 18 },
        { head: 'State', share: 26 },
        { head: 'By', share: 20 },
        { head: 'Note', share: 36 },
      ],
      items: report.moves,
      row: (move) => [minute(move.at), stepWords(move), wordsOr(move.by, '–'), renderNotes(move)],
    }),
    report.editsLeftOut === 0
      ? []
      : html`<p class="note">
          ${plural(report.editsLeftOut, 'earlier edit', 'earlier edits')} of the case:
          ${code(`GET /public/notices/${report.caseNo}/history`)}.
        </p>`,
    listTable(report.scopeChanges, {
      caption: 'How the covered lots changed after the opening',
      columns: [
        { head: 'When', share: 18 },
        { head: 'Found at block', share: 26, align: 'number' },
        { head: 'Lots entered', share: 28, align: 'number' },
        { head: 'Lots left', share: 28, align: 'number' },
      ],
      row: (change) => [
        minute(change.at),
        count(change.height),
        count(change.entered),
        count(change.left),
      ],
      none: 'No lot has entered or left the case since it was opened.',
      rest: 'The table of the lots says when each entered.',
    }),
  ];
}

function stepWords({ from, to, edited }: ReportMove): Html {
  if (edited === undefined) return html`${from === null ? `opened in ${to}` : `${from} → ${to}`}`;
  const { changes, lotsAdded, lotsExcluded, lotsRestored } = edited;
  const lots = [
    [lotsAdded, 'added'],
    [lotsExcluded, 'excluded'],
    [lotsRestored, 'no longer excluded'],
  ] as const;
  return html`edited in
  ${to}${changes.map((one) => html`<br />${one.field}: ${words(one.from)} → ${words(one.to)}`)}${lots.map(
    ([number, what]) =>
      number === 0 ? null : html`<br />${plural(number, 'lot', 'lots')} ${what} by hand`,
  )}`;
}

function renderNotes({ note, edited }: ReportMove): Html {
  const reason = edited?.scopeReason ?? null;
  if (reason === null) return wordsOr(note, '–');
  return html`${words(reason)}${note === null ? null : html`<br />${words(note)}`}`;
}

const REACH: Readonly<Record<CaseReport['direction'], string>> = {
  upstream: 'everything the lot was made from (ancestors), and the lot itself',
  downstream: 'everything made from the lot (descendants), and the lot itself',
  both:
    'everything the lot was made from (ancestors), everything made from it (descendants), and the ' +
    'lot itself; not what else was made from its ancestors (siblings)',
};

export function reachSentence({ direction }: CaseReport): string {
  return REACH[direction];
}

export function methodSection(report: CaseReport): Html {
  const { seed, openedOn, chain } = report;
  return html`<p>
      Starting at
      ${seed.kind === 'own' ? 'the lot' : 'the lots that came in under the supplier’s lot code'}
      ${code(seed.lotCode)}, the genealogy was followed from lot to lot, in the direction
      <strong>${report.direction}</strong>: ${reachSentence(report)}. There is
      <strong>no limit of depth</strong>: the walk ended where no event leads on.
    </p>
    <ul>
      <li>
        Every lot that goes into an event leads to every lot that comes out of it. Events that only
        consume and events that only produce or pack are linked when they name the same business
        reference.
      </li>
      <li>Each lot counts once, also where lots lead back to themselves, as by rework.</li>
      <li>Corrections of events count from the block in which they were recorded.</li>
      <li>
        The case was opened on block ${block(report, openedOn)}, when it covered
        ${plural(report.snapshotLots, 'lot', 'lots')}. Since then every new block has been looked
        through; this report is complete through block
        <strong>${block(report, chain.tip)}</strong>.
      </li>
    </ul>`;
}

export function block({ hub }: CaseReport, { height, hash: digest }: BlockPlace): Html {
  return html`<a href="${hub.publicUrl}${blockPath(height)}">${count(height)}</a>
    (${hash(digest)})`;
}

const RELATION_WORDS: Readonly<Record<ReportLot['relation'], string>> = {
  self: 'the lot itself',
  upstream: 'ancestor',
  downstream: 'descendant',
};

/** The nearer relation comes first, because the distance belongs to it. */
function relationWords({ relation, bothWays }: ReportLot): string {
  if (!bothWays) return RELATION_WORDS[relation];
  return relation === 'downstream' ? 'descendant and ancestor' : 'ancestor and descendant';
}

export function lotSection(report: CaseReport): Part {
  const { caseNo } = report;
  const all = html`All of them: ${code(`GET /v1/recall/cases/${caseNo}/lots`)}.`;
  const hasLeft = report.leftLots.total > 0;
  return [
    listTable(report.products, {
      caption: `Products (${formatTotal(report.products)})`,
      columns: [
        { head: 'Product', share: 40 },
        { head: 'Lots', share: 60 },
      ],
      row: ({ productSku, lots }) => [code(productSku), count(lots)],
      none: 'No lot is covered.',
      rest: all,
    }),
    listTable(report.lots, {
      caption: `Lots covered (${formatTotal(report.lots)})`,
      columns: [
        { head: 'Lot', share: 23 },
        { head: 'Product', share: 16 },
        { head: 'Relation, hops away', share: 15 },
        { head: 'Status', share: 10 },
        { head: 'Hold', share: 8 },
        { head: 'Remaining', share: 13, align: 'number' },
        { head: 'In the case since', share: 15 },
      ],
      row: (lot) => [
        code(lot.lotCode),
        code(lot.productSku),
        lot.distance === 0 ? relationWords(lot) : `${relationWords(lot)}, ${lot.distance}`,
        lot.status,
        lot.holdStatus === 'on_hold' ? html`<strong>on hold</strong>` : '–',
        remaining(lot),
        lot.inSnapshot ? 'the opening' : minuteOr(lot.enteredAt, 'just now'),
      ],
      none: 'No lot is covered.',
      rest: all,
    }),
    html`<p class="note">
      Remaining is what should still be there by what was recorded, for each unit; with a minus sign
      more went out than came in. Quantities over all lots are in the reconciliation.
    </p>`,
    hasLeft
      ? listTable(report.leftLots, {
          caption:
            'Lots that the case covered once and does not cover now ' +
            `(${formatTotal(report.leftLots)})`,
          columns: [
            { head: 'Lot', share: 45 },
            { head: 'Product', share: 35 },
            { head: 'Left', share: 20 },
          ],
          row: (lot) => [code(lot.lotCode), code(lot.productSku), minute(lot.leftAt)],
          none: '',
          rest: all,
        })
      : [],
  ];
}

/** The SKU is named when the lot has others than that of its row. */
function remaining(lot: ReportLot): Html {
  const isPlain = lot.remaining.every(({ productSku }) => productSku === lot.productSku);
  if (isPlain) return amounts(lot.remaining);
  return html`${lot.remaining.map(
    (one, index) =>
      html`${index === 0 ? null : html`<br />`}${amounts([one])} ${code(one.productSku)}`,
  )}`;
}

/** Higher drawings than this begin on a page of their own; CSS pixels. */
const INLINE_HEIGHT_MAX = 300;

export function genealogySection({ genealogy }: CaseReport): Pick<Section, 'body' | 'onNewPage'> {
  const sheets = drawGenealogy(genealogy);
  if (sheets.length === 0) return { body: html`<p>There is nothing to draw.</p>` };
  const body: Part = [
    html`<p class="note legend">
      From left to right: what a lot was made from, the lot, what was made from it.
      ${
        genealogy.by === 'lot'
          ? 'A box is a lot, with its product below. Each lot on the left of a dot went into each on ' +
            'its right, by one event or more.'
          : 'There are too many lots to draw each: a box is all covered lots of one product. Lots of ' +
            'each product on the left of a dot went into lots of each on its right.'
      }
      Double frame: the seed. <span class="key full">R</span> recalled.
      <span class="key">H</span> on hold. Dashed frame: a supplier’s lot. Dashed line: leads back to
      an earlier lot. Long codes are shortened in the middle; the tables have them in full.
      ${leftOut(genealogy)}
    </p>`,
    sheets.map(
      ({ svg, number }) =>
        html`<figure class="sheet">
          ${
            sheets.length === 1
              ? null
              : html`<figcaption>Sheet ${number} of ${sheets.length}</figcaption>`
          }
          ${svg}
        </figure>`,
    ),
  ];
  return { body, onNewPage: sheets.some(({ height }) => height > INLINE_HEIGHT_MAX) };
}

function leftOut({ nodesLeftOut, linksLeftOut, by }: DrawnGenealogy): Html | null {
  if (nodesLeftOut === 0 && linksLeftOut === 0) return null;
  const boxes = by === 'lot' ? 'lots' : 'products';
  return html`<strong>Shortened:</strong> ${count(nodesLeftOut)} ${boxes} and ${count(linksLeftOut)}
    links are not drawn; the tables have all ${boxes}.`;
}
