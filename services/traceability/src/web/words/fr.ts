// French: all sentences of the pages.
import { html } from '@lothub/kit/html';
import { check } from './fr/check.ts';
import { console } from './fr/console.ts';
import { explorer } from './fr/explorer.ts';
import { labels } from './fr/labels.ts';
import { lot } from './fr/lot.ts';
import { recalls } from './fr/recalls.ts';
import { watching } from './fr/watching.ts';
import type { Words } from './en.ts';

export const fr = {
  // What a recall notice asks consumers to do.
  advice: {
    what: {
      class_i: 'Ne pas consommer ni utiliser : risque de troubles graves, voire mortels.',
      class_ii: 'Ne pas consommer ni utiliser : risque de troubles passagers.',
      class_iii:
        'Ne pas consommer ni utiliser les produits concernés, même s’ils ne devraient pas nuire à la santé.',
      market_withdrawal:
        'Les produits concernés sont retirés du marché ; ils ne devraient pas nuire à la santé.',
      unclassified: 'Ne pas consommer ni utiliser les produits concernés.',
      notSettled:
        'Ne pas consommer ni utiliser les produits concernés tant que l’on ne sait pas s’ils sont sûrs.',
    },
    giveBack: (brand) => html`Rapportez-les au point de vente ou adressez-vous à ${brand}.`,
    contact: (brand) => html`Contacter ${brand} :`,
  },
  check,
  console,
  // What a reader sees when a page cannot be shown.
  errors: {
    notFound: {
      title: 'Rien n’est connu à ce sujet',
      advice:
        'Il n’y a ici ni lot, ni rappel en cours, ni bloc de ce nom. Vérifiez l’orthographe : les majuscules et les minuscules comptent dans les numéros de lot.',
    },
    noPage: {
      title: 'Il n’y a pas de page à cette adresse',
      advice: 'Vérifiez l’adresse, ou cherchez ici le lot indiqué sur votre emballage.',
    },
    invalid: {
      title: 'Cette adresse n’est pas valable',
      advice: 'Recommencez à partir du formulaire ci-dessous.',
    },
    tooMany: {
      title: 'Trop de demandes',
      advice:
        'Cette plateforme ne répond qu’à un nombre limité de demandes par minute. Attendez une minute, puis réessayez.',
    },
    otherwise: {
      title: 'Cette page ne peut pas être affichée pour le moment',
      advice: 'La plateforme n’a pas pu répondre. Réessayez dans une minute.',
    },
    didYouMean: (links) => html`Vouliez-vous dire ${links} ?`,
  },
  explorer,
  // Forms that several pages have.
  forms: {
    lotCode: 'Numéro de lot, tel qu’il est imprimé sur le produit',
    showLot: 'Afficher ce lot',
  },
  // The frame around every page.
  frame: {
    skip: 'Aller au contenu',
    pages: 'Pages de cette plateforme',
    lookUp: 'Chercher un lot',
    recalls: 'Rappels',
    explorer: 'Explorateur',
    guide: 'Guide',
    api: 'API',
    language: 'Langue',
    runs: (hub, version) => `${hub} fonctionne avec Lothub ${version}.`,
  },
  labels,
  // What pages say of the public log.
  log: {
    heading: 'Registre public',
    entry: (height) => `Entrée ${height} du registre public de cette plateforme.`,
    nobodyElse: 'Signé par l’exploitant seul ; personne d’autre ne l’a encore confirmé.',
    firstBlocks: (count, seen) => html`Les ${count} premiers blocs : ${seen}`,
    tooFew: 'C’est moins que ce que cette plateforme exige.',
    seenBy: ({ cosigned, witnesses, names, at }) =>
      html`Vu par ${cosigned} ${cosigned === '1' ? 'témoin indépendant' : 'témoins indépendants'}
      sur ${witnesses} (${names})${at === undefined ? null : html`, le ${at}`}.`,
    witness: (name, operator) =>
      operator === undefined
        ? `${name} : cette plateforme ne dit pas qui l’exploite.`
        : `${name} : exploité par ${operator}.`,
    ownWitness: 'Il relève du domaine de cette plateforme et ne compte pas.',
    notCounted: 'Cette plateforme ne le compte pas.',
    signedOn: (at) => html`Il a signé le ${at}.`,
    newestOfLot: (block) => html`Voici le plus récent pour ce lot : ${block}.`,
    evidenceFile: 'Dossier de preuve',
    proofFile: 'Fichier de preuve',
    trust: 'Ce que cela prouve, et comment le vérifier sans nous',
    timeStamped: (service, at) =>
      html`Horodaté par ${service} : cela existait au plus tard le ${at}.`,
    timeStamp: 'Horodatage',
    stamped: 'Ce qui a été horodaté',
    evidenceUnder: 'Dossier de preuve correspondant',
    proofUnder: 'Fichier de preuve correspondant',
    off: 'Cette plateforme ne tient pas de registre public.',
    building: 'Le registre public de cette plateforme est en cours de construction.',
    unsigned: 'C’est plus récent que ce qui est signé dans le registre public.',
    held: 'Le registre de l’exploitant ne peut pas être confirmé actuellement.',
  },
  lot,
  // The page of a GTIN.
  product: {
    number: (gtin) => `GTIN ${gtin}`,
    chooseBrand: 'Quelle marque figure sur votre emballage ?',
    severalBrands:
      'Plusieurs marques déclarent que ce numéro est le leur. Rien sur cette page ne dit qu’un produit est inchangé ou sûr : choisissez d’abord la marque.',
    severalProducts: (brand) => ['', brand, ' attribue ce numéro à plusieurs produits :'],
    ofBrand: (brand) => ['Un produit de ', brand, '.'],
    whichLot: 'De quel lot s’agit-il ?',
    whereLot:
      'Le numéro de lot est imprimé sur l’emballage, souvent près de la date. Il peut commencer par L ou LOT.',
    lotUnknown: (lot) => ['Aucun lot ', lot, ' de ce produit n’est connu ici.'],
    nothingKnown: 'On ne sait rien de ce numéro',
    nothingKnownAdvice:
      'Aucune marque n’a déclaré sur cette plateforme que ce numéro est celui d’un de ses produits. Vérifiez le numéro, ou recherchez le numéro de lot imprimé sur l’emballage.',
    recalls: 'Rappels de ce produit',
    otherBrands: (link) => ['D’autres marques utilisent le même numéro de lot : ', link],
    seeThem: 'les voir',
    more: 'D’autres produits, non cités sur cette page, portent ce numéro.',
    notTheirs: 'Que ce numéro soit celui de son produit est la déclaration de chaque marque.',
  },
  recalls,
  // The page of a lot code that several brands use.
  sharedCode: {
    title: (code) => `Lot ${code} : quelle marque ?`,
    lead: 'Plusieurs marques utilisent ce numéro de lot. De quelle marque est votre produit ?',
    notices: 'Rappels en cours pour ce numéro de lot',
    allNotices: 'Tous les rappels pour ce numéro de lot',
    choose: 'Choisissez la marque de votre produit',
    nothingSaid:
      'Rien sur cette page ne dit qu’un produit est inchangé ou sûr : choisissez d’abord sa marque.',
    openRecall: 'rappel en cours',
    openRecalls: (count) => `${count} rappels en cours`,
    firstBrands: (count) => `Voici les ${count} premières marques qui utilisent ce numéro.`,
    lotCode: 'Numéro de lot',
    brandId: 'Marque, par son identifiant sur cette plateforme',
  },
  // The page at `/`.
  start: {
    title: 'D’où vient un produit',
    lead: (hub) =>
      `Les marques déclarent à ${hub} ce qui arrive à chaque lot de leurs produits : reçu, fabriqué, conditionné, expédié, vendu. Chaque déclaration devient un bloc d’une chaîne publique d’empreintes SHA-256. Quiconque conserve la preuve d’un bloc peut démontrer que l’exploitant l’a modifié ou supprimé par la suite. L’exactitude d’une déclaration, elle, repose sur la parole de la marque.`,
    readOn: 'Pour en savoir plus',
    recalls: {
      label: 'Rappels',
      text: 'Quels lots sont rappelés en ce moment, pourquoi, et que faire.',
    },
    explorer: {
      label: 'Explorateur de la chaîne',
      text: 'Tous les blocs de la chaîne, avec leur texte et la manière de les vérifier.',
    },
    guide: {
      label: 'Guide',
      text: 'Pour ceux qui envoient des événements ou vérifient la chaîne : du premier événement à sa preuve à la main.',
    },
    api: {
      label: 'Référence de l’API',
      text: 'Tous les points d’accès, avec des exemples et une commande pour les appeler.',
    },
    trust: {
      label: 'À qui vous devez faire confiance',
      text: 'Ce qui est prouvé et par qui, ce que l’exploitant peut encore faire, et comment le vérifier sans nous.',
    },
    format: {
      label: 'Format de la chaîne',
      text: 'Ce qui entre dans l’empreinte, à l’octet près : de quoi écrire votre propre vérificateur.',
    },
    json: {
      label: 'L’explorateur en JSON',
      text: 'Pour les programmes.',
      description: 'Description de l’API',
    },
    inEnglish: '(en anglais)',
  },
  watching,
} satisfies Words;
