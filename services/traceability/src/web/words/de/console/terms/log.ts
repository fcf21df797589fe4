// Terms of the glossary: the public log, in German.
import type { Words } from '../../../en.ts';

export const log = {
  words: {
    log: 'öffentliches Protokoll',
    logCheckpoint: 'Stand des Protokolls',
    inclusionProof: 'Einschlussnachweis',
    evidenceFile: 'Beweisdatei',
    outsideWitness: 'unabhängiger Zeuge',
    timeStamp: 'Zeitstempel',
    cosignature: 'Mitsignatur',
    policy: 'Regelwerk der Zeugen',
    held: 'angehalten',
  },
  sentences: {
    log: 'Der Merkle-Baum über die Hashes aller Blöcke, den der Betreiber signiert.',
    logCheckpoint:
      'Ursprung, Größe und Wurzel dieses Baums, signiert vom Protokoll und vielleicht von Zeugen. Nie nur „checkpoint“, wo die notierte Höhe mit Hash gemeint sein könnte.',
    inclusionProof: 'Die Hashes, die vom Eintrag eines Blocks zur Wurzel führen.',
    evidenceFile:
      'Die Blöcke einer Charge mit ihren Einschlussnachweisen unter einem Stand des Protokolls.',
    outsideWitness:
      'Jemand anderes, der einen Stand des Protokolls gesehen, festgestellt hat, dass nur angehängt wurde, und ihn auch signiert hat.',
    timeStamp:
      'Die Antwort eines Zeitstempeldienstes (RFC 3161) zu einem Stand des Protokolls: Er bestand spätestens da. Nie eine Zeit, die die Plattform geschrieben hat.',
    cosignature: 'Was ein unabhängiger Zeuge signiert: eine Zeit und einen Stand des Protokolls.',
    policy:
      'Wessen Signaturen ein Leser glaubt, und wie viele unabhängige Zeugen es braucht: das Quorum.',
    held: 'Vom Protokoll: Nichts wird signiert, bis ein Betreiber entschieden hat, denn das Gespeicherte könnte dem Signierten widersprechen.',
  },
} satisfies Words['console']['help']['terms']['log'];
