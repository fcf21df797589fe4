// Terms of the glossary: goods, in French.
import type { Words } from '../../../en.ts';

export const goods = {
  words: {
    lot: 'lot',
    lotCode: 'code de lot',
    sku: 'SKU',
    event: 'événement',
    line: 'ligne',
    direction: 'direction',
    reference: 'référence',
    externalId: 'identifiant externe',
    consignee: 'destinataire',
    customerReference: 'référence client',
    channel: 'canal de vente',
    provenance: 'provenance',
    supplierLot: 'lot du fournisseur',
    genealogy: 'généalogie',
    upstream: 'en amont, en aval',
    basis: 'fondement du lien',
    distance: 'distance, profondeur',
    frontier: 'frontière',
    cycle: 'boucle',
    journey: 'parcours',
    massBalance: 'bilan matière',
    account: 'compte',
    remaining: 'reste',
    overIssued: 'sorties excédentaires',
    yield: 'rendement',
    status: 'statut',
    hold: 'blocage',
    gtin: 'GTIN',
    digitalLink: 'lien GS1 Digital Link',
    symbol: 'symbole',
    holdBreach: 'violation de blocage',
  },
  sentences: {
    lot: 'Une quantité d’un produit fabriquée, conditionnée ou reçue dans les mêmes conditions et suivie comme un tout. Identifié par le client de la plateforme et le code de lot.',
    lotCode:
      'Le nom que le client donne à un lot. Majuscules et minuscules sont distinctes ; tout caractère imprimable est admis.',
    sku: 'Référence article : le code d’un produit, dans `product_sku`. Un code de lot peut en porter plusieurs.',
    event:
      'Ce qui est arrivé à des lots en un lieu et à un moment : `RECEIVE`, `PRODUCE`, `CONSUME`, `PACK`, `TRANSFER`, `SHIP`, `SELL`, `DISPOSE` ou `CORRECTION`.',
    line: 'La part d’un lot dans un événement : quel lot, entrée ou sortie, combien, dans quelle unité.',
    direction:
      'D’une ligne : `in` (consommé ou reçu) ou `out` (fabriqué, expédié ou vendu). D’un rappel : `upstream`, `downstream` ou `both`.',
    reference:
      'Le document commercial du client derrière un événement, par exemple une commande ou un bon de livraison.',
    externalId:
      'L’identifiant que le client donne lui-même à un événement, unique chez lui. Grâce à lui, un double envoi est sans conséquence.',
    consignee:
      'À qui les marchandises sont envoyées. Dans un événement, c’est la référence client d’une ligne.',
    customerReference:
      'Le nom que le client de la plateforme donne à l’un de ses clients ; gardé pour `SELL` seulement et jamais public.',
    channel:
      'La voie par laquelle les marchandises arrivent aux consommateurs. Le texte du client reste privé ; sa classe (`retail`, `online`, …) est publique.',
    provenance:
      'D’où vient un lot reçu : nom du fournisseur, établissement d’origine, code de lot du fournisseur.',
    supplierLot: 'Un lot connu seulement par la provenance : une feuille de la généalogie.',
    genealogy:
      'Le graphe des lots et de ce dont ils sont faits. Un événement relie chacun de ses lots entrants à chacun de ses lots sortants.',
    upstream: 'Vers ce dont un lot a été fait ; vers ce qui a été fait avec lui.',
    basis:
      'Pourquoi deux lots sont liés : par un événement (`event`) ou par une référence commune à deux événements (`reference`).',
    distance: 'Nombre de pas depuis le lot demandé ; nombre maximal de pas suivis.',
    frontier:
      'Les lots où le parcours s’est arrêté alors qu’il aurait pu continuer. Une réponse les nomme : rien n’est coupé en silence.',
    cycle:
      'Des lots qui sont leurs propres ancêtres, par recyclage en production ou par retours. C’est permis, et compté.',
    journey:
      'L’histoire publique d’un lot : ses événements et ceux de ses ancêtres jusqu’à lui, du plus ancien au plus récent, sans quantités ni références.',
    massBalance:
      'Comparaison de ce qui est entré dans un lot et de ce qui en est sorti, par SKU et par unité.',
    account:
      'Les totaux d’un lot pour une SKU et une unité. Un lot a autant de comptes que de paires des deux rencontrées.',
    remaining: 'Ce qui devrait encore exister d’un lot, d’après son bilan matière.',
    overIssued:
      'Il est sorti d’un lot plus qu’il n’y est jamais entré : le reste est négatif. Accepté et signalé, car le fait a été déclaré.',
    yield: 'La quantité sortie d’une fabrication divisée par la quantité entrée.',
    status:
      'D’un lot : `active`, `depleted` ou `disposed` selon ce qu’il en reste ; `recalled` dès qu’un rappel qui le couvre a atteint `notification`, quel que soit le reste.',
    hold: 'Un lot ne peut être utilisé avant sa libération. Posé par un rappel ou à la main ; un lot est libre quand son dernier blocage est levé.',
    gtin: 'Le numéro de GS1 pour un produit. À qui il appartient est l’affirmation d’une marque, et plusieurs peuvent revendiquer le même.',
    digitalLink:
      'Une adresse de GS1 qui nomme un produit par son GTIN, avec un lot et un numéro de série ; la plateforme mène de là à la page du lot.',
    symbol:
      'Un code QR ou DataMatrix ; une étiquette en porte un, et à côté ce que lisent les personnes.',
    holdBreach:
      'Un événement qui déplace un lot bloqué. Enregistré, signalé et affiché au tableau de bord ; jamais refusé, puisqu’il a eu lieu.',
  },
} satisfies Words['console']['help']['terms']['goods'];
