// Words of people for the closed lists of an import, in English, German, French, Spanish and Italian: a file whose
// columns a person mapped may have them instead of the words of the interface.
import { DIRECTIONS, EVENT_TYPES } from '../../ledger/record/event-types.ts';
import type { Direction, EventType } from '../../ledger/record/event-types.ts';
import { plainName } from '../form/header-names.ts';

type ImportedType = Exclude<EventType, 'CORRECTION'>;

const EVENT_TYPE_WORDS: Readonly<Record<ImportedType, readonly string[]>> = {
  RECEIVE: [
    ...['receiving', 'receipt', 'goods receipt', 'incoming', 'received', 'purchase'],
    ...['Wareneingang', 'Eingang', 'Zugang', 'WE', 'Anlieferung', 'Einkauf'],
    ...['réception', 'entrée', 'achat'],
    ...['recepción', 'entrada', 'compra'],
    ...['ricevimento', 'entrata', 'acquisto'],
  ],
  PRODUCE: [
    ...['production', 'manufacture', 'produced'],
    ...['Herstellung', 'Produktion', 'Fertigung'],
    ...['fabrication'],
    ...['producción', 'fabricación', 'elaboración'],
    ...['produzione'],
  ],
  CONSUME: [
    ...['use in production', 'consumption', 'use', 'consumed'],
    ...['Verwendung in der Herstellung', 'Verbrauch', 'Einsatz', 'Materialentnahme', 'Entnahme'],
    ...['consommation', 'utilisation en production', 'utilisation'],
    ...['consumo', 'uso en la producción'],
    ...['impiego', 'uso in produzione'],
  ],
  PACK: [
    ...['packing', 'packaging', 'packed'],
    ...['Verpackung', 'Verpacken', 'Abpackung', 'Abfüllung'],
    ...['emballage', 'conditionnement'],
    ...['envasado', 'empaquetado', 'embalaje'],
    ...['confezionamento', 'imballaggio'],
  ],
  TRANSFER: [
    ...['move', 'relocation', 'stock transfer'],
    ...['Umlagerung', 'Lagerumbuchung', 'Transport'],
    ...['transfert', 'déplacement'],
    ...['traslado', 'transferencia'],
    ...['trasferimento', 'spostamento'],
  ],
  SHIP: [
    ...['shipping', 'shipment', 'delivery', 'dispatch', 'shipped'],
    ...['Versand', 'Warenausgang', 'WA', 'Lieferung', 'Auslieferung'],
    ...['expédition', 'livraison', 'envoi'],
    ...['expedición', 'envío', 'entrega'],
    ...['spedizione', 'consegna'],
  ],
  SELL: [
    ...['sale', 'sold'],
    ...['Verkauf', 'Abverkauf'],
    ...['vente'],
    ...['venta'],
    ...['vendita'],
  ],
  DISPOSE: [
    ...['disposal', 'waste', 'scrap', 'disposed'],
    ...['Entsorgung', 'Vernichtung', 'Ausschuss', 'Abfall'],
    ...['élimination', 'destruction', 'rebut'],
    ...['eliminación', 'desecho', 'destrucción'],
    ...['smaltimento', 'scarto'],
  ],
};

const DIRECTION_WORDS: Readonly<Record<Direction, readonly string[]>> = {
  in: [
    ...['into', 'incoming', 'input', '+'],
    ...['ein', 'Eingang', 'Zugang', 'rein', 'Einsatz'],
    ...['entrée', 'entrant'],
    ...['entrada', 'entra'],
    ...['entrata', 'ingresso'],
  ],
  out: [
    ...['outgoing', 'output'],
    ...['aus', 'Ausgang', 'Abgang', 'raus'],
    ...['sortie', 'sortant'],
    ...['salida', 'sale'],
    ...['uscita', 'esce'],
  ],
};

const CHOICES: Readonly<Record<'event_type' | 'direction', ReadonlyMap<string, string>>> = {
  event_type: mapChoices(EVENT_TYPES, EVENT_TYPE_WORDS),
  direction: mapChoices(DIRECTIONS, DIRECTION_WORDS),
};

function mapChoices(
  own: readonly string[],
  words: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, string> {
  return new Map([
    ...own.map((word) => [plainName(word), word] as const),
    ...Object.entries(words).flatMap(([choice, all]) =>
      all.map((word) => [plainName(word), choice] as const),
    ),
  ]);
}

/** Finds the word of the interface that a text means. */
export function findChoice(column: 'event_type' | 'direction', text: string): string | undefined {
  return CHOICES[column].get(plainName(text));
}
