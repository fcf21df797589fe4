// What pages say of the public log, in French.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const log = {
  heading: 'Registre public',
  entry: (height) => `Entrée ${height} du registre public de cette plateforme.`,
  nobodyElse: 'Signé par l’exploitant seul ; personne d’autre ne l’a encore confirmé.',
  firstBlocks: (count, seen) => html`Les ${count} premiers blocs : ${seen}`,
  tooFew: 'C’est moins que ce que cette plateforme exige.',
  seenBy: ({ cosigned, witnesses, names, at }) =>
    html`Vu par ${cosigned} ${cosigned === '1' ? 'témoin indépendant' : 'témoins indépendants'} sur
    ${witnesses} (${names})${at === undefined ? null : html`, le ${at}`}.`,
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
} satisfies Words['log'];
