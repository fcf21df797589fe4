// The public class of a sales channel, found from the tenant's own text by a fixed table of words.
// Only the class is ever public; docs/guide.md lists the words.

import { at } from '@lothub/kit/present';
import type { ChannelClass } from '../terms.ts';

/**
 * Words in English, German, French, Spanish and Italian, in small letters and without accents. Tried in
 * this order; the first class with a word in the text is the answer. Names of many words that hold a
 * word of another class come first.
 */
const WORDS: readonly (readonly [ChannelClass, readonly string[]])[] = [
  [
    'retail',
    [
      ...['grande distribution', 'grande distribuzione', 'gran distribucion'],
      ...['distribution alimentaire', 'commerce de detail', 'comercio minorista'],
      ...['commercio al dettaglio', 'vendita al dettaglio', 'venta al por menor'],
    ],
  ],
  [
    'wholesale',
    [
      ...['commerce de gros', 'vente en gros', 'comercio mayorista', 'venta al por mayor'],
      ...['commercio all ingrosso', 'vendita all ingrosso'],
    ],
  ],
  [
    'direct',
    [
      ...['vente directe', 'venta directa', 'vendita diretta', 'magasin d usine'],
      ...['vente a la ferme', 'tienda propia', 'negozio aziendale'],
    ],
  ],
  [
    'online',
    [
      ...['online', 'webshop', 'web', 'ecommerce', 'e commerce', 'eshop', 'e shop', 'internet'],
      ...['marketplace', 'mail order', 'delivery app'],
      ...['onlineshop', 'onlinehandel', 'versandhandel', 'versand', 'lieferdienst'],
      ...['en ligne', 'boutique en ligne', 'vente a distance'],
      ...['en linea', 'tienda en linea', 'comercio electronico'],
      ...['in linea', 'negozio online', 'commercio elettronico'],
    ],
  ],
  [
    'food_service',
    [
      ...['food service', 'foodservice', 'restaurant', 'restaurants', 'catering', 'caterer'],
      ...['horeca', 'hotel', 'canteen', 'cafe', 'bar', 'hospital', 'school', 'gastro'],
      'gastronomy',
      ...['gastronomie', 'kantine', 'kantinen', 'mensa', 'grosskuche', 'krankenhaus', 'schule'],
      ...['gaststatte', 'imbiss', 'gemeinschaftsverpflegung'],
      ...['restauration', 'restauration collective', 'cantine', 'traiteur', 'hopital', 'ecole'],
      ...['restaurante', 'restaurantes', 'hosteleria', 'comedor', 'colegio', 'cafeteria'],
      ...['ristorante', 'ristoranti', 'ristorazione', 'mensa scolastica', 'albergo', 'ospedale'],
    ],
  ],
  [
    'export',
    [
      ...['export', 'exports', 'overseas', 'foreign'],
      ...['ausfuhr', 'ausland', 'exportation', 'etranger', 'exportacion', 'extranjero'],
      ...['esportazione', 'estero'],
    ],
  ],
  [
    'wholesale',
    [
      ...['wholesale', 'wholesaler', 'distributor', 'distribution', 'cash and carry', 'b2b'],
      ...['trade', 'bulk'],
      ...['grosshandel', 'grosshandler', 'grossmarkt', 'zwischenhandel'],
      ...['grossiste', 'grossistes', 'distributeur', 'mayorista', 'mayoristas', 'distribuidor'],
      ...['grossista', 'grossisti', 'ingrosso', 'distributore'],
    ],
  ],
  [
    'direct',
    [
      ...['direct', 'farm shop', 'farm gate', 'factory outlet', 'farmers market', 'market stall'],
      ...['d2c', 'dtc', 'own shop', 'employee', 'staff'],
      ...['hofladen', 'ab hof', 'direktverkauf', 'direktvermarktung', 'werksverkauf'],
      ...['fabrikverkauf', 'wochenmarkt', 'bauernmarkt', 'personalverkauf', 'mitarbeiter'],
      ...['direkt', 'a la ferme', 'marche', 'directa', 'mercadillo', 'mercado local'],
      ...['diretta', 'spaccio', 'mercato contadino'],
    ],
  ],
  [
    'retail',
    [
      ...['retail', 'retailer', 'supermarket', 'supermarkets', 'hypermarket', 'store', 'stores'],
      ...['shop', 'shops', 'grocery', 'grocer', 'convenience', 'kiosk', 'discounter'],
      ...['pharmacy', 'department store', 'pos', 'b2c'],
      ...['supermarkt', 'supermarkte', 'einzelhandel', 'einzelhandler', 'handel', 'laden'],
      ...['lebensmittelhandel', 'lebensmitteleinzelhandel', 'leh', 'filiale', 'filialen'],
      ...['drogerie', 'apotheke', 'backerei', 'warenhaus', 'reformhaus', 'bioladen'],
      ...['supermarche', 'supermarches', 'hypermarche', 'magasin', 'magasins', 'epicerie'],
      ...['boutique', 'detaillant', 'pharmacie', 'boulangerie'],
      ...['supermercado', 'supermercados', 'hipermercado', 'tienda', 'tiendas', 'minorista'],
      ...['farmacia', 'panaderia'],
      ...['supermercato', 'supermercati', 'ipermercato', 'negozio', 'negozi', 'dettaglio'],
      ...['dettagliante', 'gdo', 'panetteria', 'alimentari'],
    ],
  ],
];

/**
 * The words and phrases of the table, each with the place of its class in the order of attempts.
 */
const PLACE_OF_WORDS: ReadonlyMap<string, number> = new Map(
  WORDS.flatMap(([, words], place) => words.map((word) => [word, place] as const)).reverse(),
);
/** Words of the longest phrase. */
const PHRASE_WORDS_MAX = Math.max(
  ...[...PLACE_OF_WORDS.keys()].map((phrase) => phrase.split(' ').length),
);

/** Returns the class of a channel text; `other` when it contains no word of the table. */
export function channelClass(channel: string): ChannelClass {
  return knownChannelClass(channel) ?? 'other';
}

/**
 * Returns undefined when the text is of the class `other` because the table has none of its words.
 */
export function knownChannelClass(channel: string): ChannelClass | undefined {
  const words = listWords(channel);
  let first = Infinity;
  for (let start = 0; start < words.length; start += 1) {
    for (
      let length = 1;
      length <= PHRASE_WORDS_MAX && start + length <= words.length;
      length += 1
    ) {
      const phrase = words.slice(start, start + length).join(' ');
      first = Math.min(first, PLACE_OF_WORDS.get(phrase) ?? Infinity);
    }
  }
  if (first < Infinity) return at(WORDS, first)[0];
  return words.length === 1 && words[0] === 'other' ? 'other' : undefined;
}

/** Its words in small letters, without accents. */
function listWords(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
