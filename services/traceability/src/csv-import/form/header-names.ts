// The names that a header may give to the columns of an imported file: those of the interface, and those
// of people in English, German, French, Spanish and Italian. The list is closed and is in the guide.
import type { EventFieldName, LineFieldName } from '../../ledger/record/fields.ts';

export type Column = EventFieldName | LineFieldName;

export const HEADER_LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;
type Language = (typeof HEADER_LANGUAGES)[number];

/**
 * Other names of the columns; every column also has its own name in every language. Case, accents,
 * and characters between words (spaces, points, hyphens, underscores, apostrophes) make no
 * difference.
 */
export const HEADER_NAMES: Readonly<Record<Column, Readonly<Record<Language, readonly string[]>>>> =
  {
    external_id: {
      en: ['event id'],
      de: ['externe ID', 'Ereignis-ID'],
      fr: ['id externe', 'identifiant externe'],
      es: ['id externo', 'identificador externo'],
      it: ['id esterno', 'identificativo esterno'],
    },
    event_type: {
      en: ['type of event', 'event'],
      de: ['Ereignis', 'Ereignisart', 'Ereignistyp', 'Vorgang'],
      fr: ['type d’événement', 'événement'],
      es: ['tipo de evento', 'evento'],
      it: ['tipo di evento', 'evento'],
    },
    occurred_at: {
      en: ['date and time', 'timestamp'],
      de: ['Zeitpunkt', 'Datum und Uhrzeit', 'Zeitstempel'],
      fr: ['date et heure', 'horodatage'],
      es: ['fecha y hora'],
      it: ['data e ora'],
    },
    location: {
      en: ['place', 'site'],
      de: ['Ort', 'Standort'],
      fr: ['lieu', 'site', 'emplacement'],
      es: ['lugar', 'ubicación'],
      it: ['luogo', 'ubicazione'],
    },
    reference: {
      en: ['document number'],
      de: ['Referenz', 'Beleg', 'Belegnummer', 'Beleg-Nr.'],
      fr: ['référence', 'numéro de document'],
      es: ['referencia', 'número de documento'],
      it: ['riferimento', 'numero documento'],
    },
    lot_code: {
      en: ['lot', 'lot number', 'lot no.', 'batch', 'batch number', 'batch no.'],
      de: ['Charge', 'Chargennummer', 'Chargen-Nr.', 'Los', 'Losnummer', 'Los-Nr.'],
      fr: ['lot', 'code lot', 'numéro de lot', 'n° de lot'],
      es: ['lote', 'código de lote', 'número de lote', 'n.º de lote'],
      it: ['lotto', 'codice lotto', 'numero di lotto', 'n. lotto'],
    },
    product_sku: {
      en: ['sku', 'product', 'item', 'item number', 'article number'],
      de: ['Produkt', 'Artikel', 'Artikelnummer', 'Artikel-Nr.'],
      fr: ['produit', 'article', 'code article', 'numéro d’article'],
      es: ['producto', 'artículo', 'código de artículo', 'número de artículo'],
      it: ['prodotto', 'articolo', 'codice articolo', 'numero articolo'],
    },
    direction: {
      en: ['in or out'],
      de: ['Richtung'],
      fr: ['sens'],
      es: ['dirección', 'sentido'],
      it: ['direzione'],
    },
    quantity: {
      en: ['qty', 'amount'],
      de: ['Menge'],
      fr: ['quantité', 'qté'],
      es: ['cantidad'],
      it: ['quantità'],
    },
    unit: {
      en: ['unit of measure', 'uom'],
      de: ['Einheit', 'Mengeneinheit'],
      fr: ['unité', 'unité de mesure'],
      es: ['unidad', 'unidad de medida'],
      it: ['unità', 'unità di misura'],
    },
    customer_ref: {
      en: ['customer', 'customer reference', 'customer number'],
      de: ['Kunde', 'Kundennummer', 'Kunden-Nr.', 'Kundenreferenz'],
      fr: ['client', 'numéro client', 'référence client'],
      es: ['cliente', 'número de cliente', 'referencia del cliente'],
      it: ['cliente', 'numero cliente', 'riferimento cliente'],
    },
    consignee_ref: {
      en: ['consignee', 'ship to', 'ship-to party', 'delivered to'],
      de: ['Warenempfänger', 'Empfänger', 'Lieferempfänger'],
      fr: ['destinataire', 'livré à'],
      es: ['destinatario', 'consignatario'],
      it: ['destinatario', 'consegnato a'],
    },
    channel: {
      en: ['sales channel'],
      de: ['Kanal', 'Vertriebskanal', 'Vertriebsweg', 'Absatzweg'],
      fr: ['canal', 'canal de vente'],
      es: ['canal', 'canal de venta'],
      it: ['canale', 'canale di vendita'],
    },
    supplier_name: {
      en: ['supplier'],
      de: ['Lieferant', 'Lieferantenname'],
      fr: ['fournisseur', 'nom du fournisseur'],
      es: ['proveedor', 'nombre del proveedor'],
      it: ['fornitore', 'nome del fornitore'],
    },
    origin_facility: {
      en: ['origin'],
      de: ['Herkunft', 'Herkunftsbetrieb', 'Ursprungsbetrieb'],
      fr: ['origine', 'site d’origine'],
      es: ['origen', 'planta de origen'],
      it: ['origine', 'stabilimento di origine'],
    },
    supplier_lot_code: {
      en: ['supplier lot', 'supplier lot number', 'supplier batch'],
      de: ['Lieferantencharge', 'Chargennummer des Lieferanten', 'Lieferantenlos'],
      fr: ['lot fournisseur', 'lot du fournisseur', 'numéro de lot fournisseur'],
      es: ['lote del proveedor', 'número de lote del proveedor'],
      it: ['lotto fornitore', 'lotto del fornitore', 'numero di lotto del fornitore'],
    },
    notes: {
      en: ['note', 'comment', 'comments', 'remarks'],
      de: ['Notiz', 'Notizen', 'Bemerkung', 'Bemerkungen'],
      fr: ['remarque', 'remarques', 'commentaire', 'commentaires'],
      es: ['notas', 'observaciones', 'comentarios'],
      it: ['note', 'osservazioni', 'commenti'],
    },
  };

/** Lists the names of a column, its own first. */
export function listNames(column: Column): readonly string[] {
  return [column, ...HEADER_LANGUAGES.flatMap((language) => HEADER_NAMES[column][language])];
}

const COLUMN_OF: ReadonlyMap<string, Column> = new Map(
  Object.keys(HEADER_NAMES).flatMap((name) => {
    const column = name as Column;
    return listNames(column).map((one) => [plainName(one), column] as const);
  }),
);

/** The column that a cell of a header names, if it names one. */
export function findColumn(name: string): Column | undefined {
  return COLUMN_OF.get(plainName(name));
}

/** Removes case, accents, and characters between words. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s_\-.'’"°º]+/g, ' ')
    .trim();
}
