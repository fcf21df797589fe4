// Lines of events: which lot, of what, how much, and where from. On the page of their block, and among what a search
// finds.
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { Transaction } from '../../explorer/views.ts';
import type { ProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { blockLink, code, lotLink, product, readersTime } from '../fragments.ts';
import { channelWords, eventWords } from '../labels.ts';
import type { Reader } from '../words/reader.ts';
import { lookUpWord, lotChainPath } from './pieces.ts';

export function linesOfBlock(
  lines: readonly Transaction[],
  products: ProductProfiles,
  reader: Reader,
): Html {
  const { block: words, decision } = reader.words.explorer;
  const hasOrigin = lines.some((line) => renderOrigin(line) !== null);
  const hasChannel = lines.some((line) => line.channel !== null);
  return rowsTable({
    caption: words.lots,
    head: [
      decision.lot,
      words.product,
      words.directionName,
      words.quantity,
      ...(hasOrigin ? [words.from] : []),
      ...(hasChannel ? [words.soldThrough] : []),
      words.chain,
    ],
    rows: lines.map((line) => [
      line.lot_code === null ? null : lotLink(line.lot_code, line.brand),
      line.product_sku === null
        ? null
        : product(line.product_sku, products.get(line.product_sku)?.names, reader),
      line.direction === null ? null : lookUpWord(words.direction, line.direction),
      line.quantity === null ? null : reader.formats.quantity(line.quantity, line.unit ?? ''),
      ...(hasOrigin ? [renderOrigin(line)] : []),
      ...(hasChannel ? [line.channel === null ? null : channelWords(line.channel, reader)] : []),
      line.lot_code === null
        ? null
        : html`<a href="${lotChainPath(line.lot_code, line.brand)}">${words.chainOfLot}</a>`,
    ]),
  });
}

/** Writes the origin of a lot, as its brand says. */
function renderOrigin(line: Transaction): Html | null {
  const { supplier_name: supplier, origin_facility: facility, supplier_lot_code: lot } = line;
  const parts = [
    ...(supplier === null ? [] : [html`<bdi>${supplier}</bdi>`]),
    ...(facility === null ? [] : [html`<bdi>${facility}</bdi>`]),
    ...(lot === null ? [] : [code(lot)]),
  ];
  if (parts.length === 0) return null;
  return html`${parts.map((part, index) => html`${index === 0 ? null : ', '}${part}`)}`;
}

/** Lines of several events, each with its block. */
export function foundLines(lines: readonly Transaction[], reader: Reader): Html {
  const { block: words, columns, decision } = reader.words.explorer;
  return rowsTable({
    caption: words.lines,
    head: [
      decision.lot,
      words.product,
      words.directionName,
      words.quantity,
      words.type,
      words.occurred,
      columns.block,
    ],
    rows: lines.map((line) => [
      line.lot_code === null ? null : lotLink(line.lot_code, line.brand),
      line.product_sku === null ? null : code(line.product_sku),
      line.direction === null ? null : lookUpWord(words.direction, line.direction),
      line.quantity === null ? null : reader.formats.quantity(line.quantity, line.unit ?? ''),
      eventWords(line.event_type, reader),
      line.occurred_at === null ? null : readersTime(line.occurred_at, reader),
      blockLink(line.height, reader),
    ]),
  });
}
