// What pages call the fields of events and lines, in each language: one line for a field, so that a new field
// is named in all of them at once. English names are those of ledger/record/fields.ts.
import { buildRecord } from '@lothub/kit/build-record';
import {
  CORRECTABLE_EVENT_FIELDS,
  CORRECTABLE_LINE_FIELDS,
} from '../../ledger/record/field-path.ts';
import type { EventField, LineField } from '../../ledger/record/field-path.ts';
import { EVENT_FIELDS, LINE_FIELDS } from '../../ledger/record/fields.ts';

type Field = EventField | LineField;
type OtherLanguage = 'de' | 'es' | 'fr' | 'it';
type Labels = Readonly<Record<Field, string>>;

const NAMES: Readonly<Record<Field, Readonly<Record<OtherLanguage, string>>>> = {
  lot_code: {
    de: 'Chargennummer',
    es: 'número de lote',
    fr: 'numéro de lot',
    it: 'numero di lotto',
  },
  product_sku: { de: 'Produkt', es: 'producto', fr: 'produit', it: 'prodotto' },
  direction: { de: 'Richtung', es: 'dirección', fr: 'sens', it: 'direzione' },
  quantity: { de: 'Menge', es: 'cantidad', fr: 'quantité', it: 'quantità' },
  unit: { de: 'Einheit', es: 'unidad', fr: 'unité', it: 'unità' },
  customer_ref: { de: 'Kunde', es: 'cliente', fr: 'client', it: 'cliente' },
  consignee_ref: { de: 'Empfänger', es: 'destinatario', fr: 'destinataire', it: 'destinatario' },
  channel: {
    de: 'Vertriebsweg',
    es: 'canal de venta',
    fr: 'circuit de vente',
    it: 'canale di vendita',
  },
  supplier_name: { de: 'Lieferant', es: 'proveedor', fr: 'fournisseur', it: 'fornitore' },
  origin_facility: { de: 'Herkunft', es: 'origen', fr: 'origine', it: 'origine' },
  supplier_lot_code: {
    de: 'Chargennummer des Lieferanten',
    es: 'número de lote del proveedor',
    fr: 'numéro de lot du fournisseur',
    it: 'numero di lotto del fornitore',
  },
  occurred_at: { de: 'Zeitpunkt', es: 'fecha y hora', fr: 'date et heure', it: 'data e ora' },
  location: { de: 'Ort', es: 'lugar', fr: 'lieu', it: 'luogo' },
  reference: {
    de: 'Geschäftszeichen',
    es: 'referencia comercial',
    fr: 'référence commerciale',
    it: 'riferimento commerciale',
  },
  notes: { de: 'Anmerkungen', es: 'observaciones', fr: 'remarques', it: 'note' },
  status: {
    de: 'ob es geschehen ist',
    es: 'si ocurrió',
    fr: 'si cela a eu lieu',
    it: 'se è avvenuto',
  },
};

const FIELDS: readonly Field[] = [...CORRECTABLE_LINE_FIELDS, ...CORRECTABLE_EVENT_FIELDS];
const IN_ENGLISH = { ...EVENT_FIELDS, ...LINE_FIELDS, status: { label: 'whether it happened' } };

export const FIELD_LABELS: Readonly<Record<OtherLanguage | 'en', Labels>> = {
  en: buildRecord(FIELDS, (name) => IN_ENGLISH[name].label),
  de: buildRecord(FIELDS, (name) => NAMES[name].de),
  es: buildRecord(FIELDS, (name) => NAMES[name].es),
  fr: buildRecord(FIELDS, (name) => NAMES[name].fr),
  it: buildRecord(FIELDS, (name) => NAMES[name].it),
};
