// The page of a lot, in French.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const lot = {
  title: (code) => `Lot ${code}`,
  verdicts: {
    recalled: 'Stop : ce lot fait l’objet d’un rappel',
    examined: 'Stop : un rappel de ce lot est à l’étude',
    withdrawn: 'Ce lot est retiré du marché',
    onHold: 'Attendez : ce lot est bloqué',
    unconfirmed: 'Ce lot ne peut pas être confirmé',
    clear: 'Rien n’est signalé contre ce lot',
  },
  onHold: (brand) =>
    html`${brand} a bloqué ce lot. Ne le consommez pas et ne l’utilisez pas avant sa libération.`,
  clear: (brand) =>
    html`Aucun rappel n’est en cours pour ce lot, et ce que ${brand} a enregistré à son sujet n’a
    pas été modifié.`,
  whetherRecalled: (brand) =>
    html`Il est impossible de dire ici si ce lot est rappelé. Demandez à ${brand} avant de
    l’utiliser.`,
  whetherFurther: (brand) =>
    html`Il est impossible de dire ici si ce lot fait l’objet d’autres rappels. Demandez à ${brand}
    avant de l’utiliser.`,
  why: 'Motif :',
  furtherRecalls: 'Autres rappels de ce lot :',
  aboutRecall: 'Tout sur ce rappel',
  aboutRecalls: 'Tout sur ces rappels',

  lotCode: 'Lot',
  product: 'Produit',
  brand: 'Marque',
  status: 'Statut',
  sharing: 'D’autres marques utilisent le même numéro de lot.',
  sharingRecalled: html`D’autres marques utilisent le même numéro de lot, et
    <strong class="bad">certains de ces lots sont rappelés</strong>.`,
  chooseBrand: 'Choisir une autre marque',

  story: 'D’où il vient',
  stages: {
    received: 'Réception',
    made: 'Fabrication',
    packed: 'Conditionnement',
    moved: 'Transport',
    sold: 'Vente',
    disposed: 'Élimination',
  },
  ingredients: 'Réception des ingrédients',
  places: (count) => `${count} lieux`,
  more: (count) => `${count} autres`,
  utc: (date) => `${date} (UTC)`,
  allEvents: (count) => `Tous les événements (${count})`,
  noStepCounts:
    'Aucune étape de ce lot ne compte actuellement. Ce qui a été enregistré figure, avec les corrections, dans les blocs ci-dessous.',
  partOfStory: 'Ces étapes figurent dans des blocs vérifiés. Il peut en manquer d’autres.',
  noStepVerifies: 'Aucune étape de ce lot ne peut être lue dans un bloc vérifié.',
  event: (what, where) => html`${what} : ${where}`,
  through: (channels) => `, par ${channels}`,
  thisLot: (product) => html`Ce lot, produit ${product}`,
  sourceLot: (lot, product) => html`Lot d’origine ${lot}, produit ${product}`,
  corrected: (blocks) => html`Tel que la marque l’a corrigé par la suite : ${blocks}`,

  sold: 'Où il a été vendu',
  soldThrough: (channels) => `Ce lot, ou ce qui en a été fait : ${channels}.`,
  noSale: 'Aucune vente par un circuit connu n’a été enregistrée.',
  noSaleVerifies: 'Aucune vente par un circuit connu ne peut être lue dans un bloc vérifié.',

  decisions: 'Décisions concernant ce lot',

  proof: 'Ce qui est prouvé',
  verified: (brand) =>
    html`<strong>Vérifié.</strong> Ce que ${brand} a enregistré au sujet de ce lot n’a pas été
      modifié. Que ce soit exact et complet, aucun ordinateur ne peut le prouver.`,
  notVerified: html`<strong>Non vérifié.</strong> Ce qui est stocké ne concorde pas avec la chaîne.
    Tant que l’exploitant ne l’a pas contrôlé, rien sur cette page n’est prouvé.`,
  blocksNotVerified: (blocks) =>
    html`<strong>Non vérifié.</strong> Ce qui est stocké ne concorde pas avec la chaîne. Blocs de ce
      lot qui n’ont pas pu être vérifiés : ${blocks}. Ce qu’ils disaient n’est pas fiable tant que
      l’exploitant ne l’a pas contrôlé.`,
  proofInDetail: 'La preuve en détail',
  owner: 'Qui le déclare',
  keeper: 'Qui tient la chaîne',
  chainState: 'État de toute la chaîne',
  chainValid: 'aucune différence connue entre ce qui est stocké et ce qui a servi à l’empreinte',
  chainInvalid: 'ce qui est stocké diffère de ce qui a servi à l’empreinte',
  newestBlock: 'Bloc le plus récent',
  chainName: 'Nom de la chaîne',
  blocks: 'Blocs concernant ce lot',
  blocksIntro:
    'Ces blocs contiennent le lot, corrigent de tels blocs ou disent ce qui a été décidé à son sujet. L’empreinte de chacun a été recalculée pour cette page, et vous pouvez le faire vous-même : la page d’un bloc montre son texte et comment en calculer l’empreinte.',
  block: 'Bloc',
  hash: 'Empreinte (SHA-256)',
  truncated: 'Il y a plus à savoir sur ce lot que ce que montre cette page : voir l’explorateur.',

  otherBrands: 'Autres marques avec ce numéro de lot',
  otherBrandsIntro: 'Votre produit est d’une autre marque ? Celles-ci utilisent le même numéro :',
} satisfies Words['lot'];
