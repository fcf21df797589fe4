// The table beside a drawing, which says the same: a row for each lot and group that is drawn. Pure; browsers load it,
// too.
import { html, trustedHtml, type Html } from '@lothub/kit/html';
import { filled, type DrawingFormats } from './drawing.ts';
import type { DrawnNode, Relation } from './graph.ts';

export const COLUMNS = ['lot', 'product', 'relation', 'distance', 'state', 'first'] as const;

export interface RowWords {
  readonly columns: Readonly<Record<(typeof COLUMNS)[number], string>>;
  readonly relations: Readonly<Record<Relation, string>>;
  readonly groupRow: string;
}

export function rowId(id: string): string {
  return `row ${id}`;
}

/** The nearest first, ancestors of the lot above its descendants. */
export function rowOrder(nodes: readonly DrawnNode[]): readonly DrawnNode[] {
  const rank: Readonly<Record<Relation, number>> = {
    self: 0,
    upstream: 1,
    downstream: 2,
    related: 3,
  };
  return nodes.toSorted((a, b) => rank[a.relation] - rank[b.relation] || a.distance - b.distance);
}

/** Everything that the row of a node shows and that can change. */
export function lookOfRow({ relation, distance, group }: DrawnNode): string {
  return `${relation} ${distance} ${group?.rest ?? ''}`;
}

export function tableRow(
  node: DrawnNode,
  { words, number }: DrawingFormats & { readonly words: RowWords },
): Html {
  const { columns, relations, groupRow } = words;
  const { lot, group } = node;
  const cell = (name: (typeof COLUMNS)[number], value: Html | string): Html =>
    name === 'distance'
      ? html`<td class="number" data-label="${columns[name]}"><div>${value}</div></td>`
      : html`<td data-label="${columns[name]}"><div>${value}</div></td>`;
  const own =
    node.group === undefined
      ? { lot: node.lot.cells.lot, product: node.lot.cells.product }
      : undefined;
  const groupText = group === undefined ? '' : html`${filled(groupRow, { n: number(group.rest) })}`;
  return html`<tr data-row="${node.id}">
    ${cell('lot', own === undefined ? groupText : trustedHtml(own.lot))}
    ${cell(
      'product',
      own === undefined
        ? html`<bdi>${group?.label}</bdi> <small><bdi>${group?.detail}</bdi></small>`
        : trustedHtml(own.product),
    )}
    ${cell('relation', relations[node.relation])} ${cell('distance', number(node.distance))}
    ${
      lot === undefined
        ? html`<td></td>
            <td></td>`
        : ''
    }
    ${lot === undefined ? '' : cell('state', trustedHtml(lot.cells.state))}
    ${lot === undefined ? '' : lot.cells.first === '' ? html`<td></td>` : cell('first', trustedHtml(lot.cells.first))}
  </tr>`;
}
