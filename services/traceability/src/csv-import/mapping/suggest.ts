// Suggests which column of an import a column of a file is likely to be, by its header. It guesses
// more than an import does by itself, because a person checks the suggestion before the import.
import { HEADER_NAMES, findColumn, listNames, plainName } from '../form/header-names.ts';
import type { Column } from '../form/header-names.ts';

/** Names that are too ambiguous for a file that no person checks. */
const LOOSE_NAMES: Readonly<Partial<Record<Column, readonly string[]>>> = {
  occurred_at: [
    ...['date', 'day', 'when', 'posting date', 'receipt date', 'delivery date'],
    ...['Datum', 'Tag', 'Buchungsdatum', 'Eingangsdatum', 'Lieferdatum', 'Wareneingangsdatum'],
    ...['date de réception', 'date de livraison', 'jour'],
    ...['fecha', 'fecha de recepción', 'fecha de entrega', 'día'],
    ...['data', 'data di ricevimento', 'data di consegna', 'giorno'],
  ],
  lot_code: ['LOT', 'Ch.-Nr.', 'Charge-Nr.', 'Chargen', 'n° lot', 'lote nº', 'n. di lotto'],
  product_sku: [
    ...['product code', 'article', 'goods', 'material'],
    ...[
      'Artikelnr',
      'Art.-Nr.',
      'Ware',
      'Rohstoff',
      'Material',
      'Artikelbezeichnung',
      'Bezeichnung',
    ],
    ...['référence article', 'marchandise', 'matière première', 'désignation'],
    ...['código de producto', 'mercancía', 'materia prima'],
    ...['codice prodotto', 'merce', 'materia prima'],
  ],
  quantity: [
    'number of',
    'Anzahl',
    'Mg.',
    'Nettomenge',
    'Gewicht',
    'nombre',
    'poids',
    'peso',
    'quantitativo',
  ],
  unit: ['ME', 'Einh.', 'unit', 'U.M.', 'ud'],
  supplier_name: [
    'vendor',
    'Lieferantin',
    'Hersteller',
    'Kreditor',
    'producteur',
    'fabricante',
    'produttore',
  ],
  supplier_lot_code: [
    ...[
      'vendor lot',
      'supplier lot no',
      'Lieferantencharge Nr',
      'Lief.-Charge',
      'Fremdcharge',
      'Charge Lieferant',
    ],
  ],
  reference: [
    ...['order', 'order number', 'document', 'delivery note', 'invoice', 'purchase order'],
    ...[
      'Lieferschein',
      'Lieferschein-Nr.',
      'Lieferscheinnummer',
      'Bestellung',
      'Bestellnummer',
      'Auftrag',
      'Auftragsnummer',
      'Rechnung',
      'Rechnungsnummer',
    ],
    ...['bon de livraison', 'commande', 'n° de commande', 'facture'],
    ...['albarán', 'pedido', 'número de pedido', 'factura'],
    ...['bolla', 'DDT', 'ordine', 'numero ordine', 'fattura'],
  ],
  location: [
    'warehouse',
    'store',
    'Lager',
    'Lagerort',
    'Filiale',
    'Werk',
    'entrepôt',
    'almacén',
    'magazzino',
  ],
  event_type: [
    'movement',
    'movement type',
    'Bewegung',
    'Bewegungsart',
    'Buchungsart',
    'mouvement',
    'movimiento',
    'movimento',
  ],
  notes: ['Hinweis', 'Kommentar', 'nota', 'observations'],
};

const LOOSE: ReadonlyMap<string, Column> = new Map(
  Object.entries(LOOSE_NAMES).flatMap(([name, names]) =>
    names.map((one) => [plainName(one), name as Column] as const),
  ),
);

/** Every name of a column, the longest first: of two that a header has, the longer one says more. */
const ALL_NAMES: readonly (readonly [string, Column])[] = [
  ...LOOSE,
  ...Object.keys(HEADER_NAMES).flatMap((name) => {
    const column = name as Column;
    return listNames(column).map((one) => [plainName(one), column] as const);
  }),
].toSorted(([one], [other]) => other.length - one.length);

/**
 * Suggests a column for each header; null for unknown names, and for a second one of the same
 * column.
 */
export function suggestColumns(headers: readonly string[]): readonly (Column | null)[] {
  const found: (Column | null)[] = headers.map(() => null);
  // Certain matches come before likely ones, at any place.
  for (const guess of [findColumn, findLoosely, findWithin]) {
    for (const [place, header] of headers.entries()) {
      if (found[place] !== null) continue;
      const column = guess(header);
      if (column !== undefined && !found.includes(column)) found[place] = column;
    }
  }
  return found;
}

/** `Menge (kg)` as `Menge`. */
function withoutBrackets(header: string): string {
  return header.replaceAll(/[([{][^)\]}]*[)\]}]/g, ' ');
}

function findLoosely(header: string): Column | undefined {
  const plain = withoutBrackets(header);
  return findColumn(plain) ?? LOOSE.get(plainName(plain));
}

/** Finds a column whose name is in the header among other words. */
function findWithin(header: string): Column | undefined {
  const words = ` ${plainName(withoutBrackets(header)).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return ALL_NAMES.find(([name]) => words.includes(` ${name} `))?.[1];
}
