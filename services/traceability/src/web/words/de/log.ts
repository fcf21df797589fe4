// What pages say of the public log, in German.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const log = {
  heading: 'Öffentliches Protokoll',
  entry: (height) => `Eintrag ${height} im öffentlichen Protokoll dieser Plattform.`,
  nobodyElse: 'Nur vom Betreiber signiert; bisher hat das niemand sonst bestätigt.',
  firstBlocks: (count, seen) => html`Die ersten ${count} Blöcke: ${seen}`,
  tooFew: 'Das sind weniger, als diese Plattform verlangt.',
  seenBy: ({ cosigned, witnesses, names, at }) =>
    html`Gesehen von ${cosigned} von ${witnesses} unabhängigen Zeugen
    (${names})${at === undefined ? null : html`, am ${at}`}.`,
  witness: (name, operator) =>
    operator === undefined
      ? `${name}: Wer ihn betreibt, sagt diese Plattform nicht.`
      : `${name}: betrieben von ${operator}.`,
  ownWitness: 'Er steht unter der Domain dieser Plattform und zählt nicht.',
  notCounted: 'Diese Plattform zählt ihn nicht.',
  signedOn: (at) => html`Er hat am ${at} signiert.`,
  newestOfLot: (block) => html`Das ist ${block}, der neueste zu dieser Charge.`,
  evidenceFile: 'Beweisdatei',
  proofFile: 'Nachweisdatei',
  trust: 'Was das beweist, und wie Sie es ohne uns prüfen',
  timeStamped: (service, at) => html`Zeitstempel von ${service}: Es bestand spätestens am ${at}.`,
  timeStamp: 'Zeitstempel',
  stamped: 'Was gestempelt wurde',
  evidenceUnder: 'Beweisdatei dazu',
  proofUnder: 'Nachweisdatei dazu',
  off: 'Diese Plattform führt kein öffentliches Protokoll.',
  building: 'Das öffentliche Protokoll dieser Plattform wird gerade aufgebaut.',
  unsigned: 'Das ist neuer als das, was im öffentlichen Protokoll signiert ist.',
  held: 'Das Protokoll des Betreibers lässt sich zurzeit nicht bestätigen.',
} satisfies Words['log'];
