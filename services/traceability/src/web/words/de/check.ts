// "Check in this browser", in German.
import type { Words } from '../en.ts';

export const check = {
  button: 'In diesem Browser prüfen',
  checking: 'Wird geprüft …',
  heading: 'In diesem Browser geprüft',
  proved: 'Bewiesen',
  seen: (cosigned, members, at) =>
    `und von ${cosigned} von ${members} unabhängigen Zeugen gesehen: Es bestand spätestens am ${at}.`,
  operatorOnly: 'allein auf das Wort des Betreibers: Niemand sonst hat signiert.',
  refused: 'Zurückgewiesen:',
  good: 'In Ordnung.',
  wrong: 'Falsch.',
  meanings: {
    file: 'Die Datei ist wohlgeformt und handelt von dem, wovon diese Seite handelt.',
    epochs:
      'Der Betreiber hat signiert, dass das Protokoll unter anderem Namen weitergeht, und was verloren ging.',
    log: 'Der Betreiber hat den Baum signiert, zu dem diese Hashes führen.',
    witnesses:
      'Jeder dieser Zeugen bewahrt den neuesten Baum auf, den er von diesem Protokoll gesehen hat, und signiert keinen, der ihm widerspricht.',
    blocks: 'Jeder Text ergibt seinen Hash, und sein Hash führt zur signierten Wurzel.',
    chain: 'Aufeinanderfolgende Blöcke nennen gegenseitig ihren Hash.',
    kept: 'Der Baum setzt den fort, der zuvor geprüft wurde.',
    disclosures: 'Die offengelegten Werte passen zu dem, worauf sich die Blöcke festgelegt haben.',
  },
  refusals: {
    malformed: 'Was die Plattform geschickt hat, ist kein Nachweis oder handelt von etwas anderem.',
    unknown_log: 'Der Nachweis gehört zu einem anderen Protokoll als dem dieser Plattform.',
    bad_signature: 'Eine Signatur ist nicht die des Betreibers.',
    no_quorum: 'Zu wenige Zeugen haben es bestätigt.',
    not_in_tree:
      'Was jetzt gespeichert ist, ist nicht, was signiert wurde: Es wurde nachträglich geändert.',
    other_height: 'Der Text ist der eines anderen Blocks.',
    not_canonical: 'Der Text ist nicht der eines Blocks: Er wurde nachträglich geändert.',
    rolled_back:
      'Das Protokoll ist kürzer als eines, das schon gesehen wurde: Es wurde etwas entfernt.',
    split_view: 'Der Betreiber hat zwei Protokolle signiert, die sich widersprechen.',
  },
  operatorsWord:
    'Niemand sonst hat signiert: Es ist also das Wort des Betreibers, an dem er sich messen lassen muss.',
  verifierSays: 'Meldung des Prüfprogramms (auf Englisch)',
  ownKey:
    'Diese Seite, ihr Programm, der Schlüssel und die Namen der Zeugen stammen von dieser Plattform. Vergleichen Sie den Schlüssel mit einem, den Sie von anderswo haben, oder prüfen Sie die Datei mit einem eigenen Programm:',
  tooOld:
    'Dieser Browser kann hier keine Signaturen prüfen: Dafür braucht es https und eine neuere Version.',
  nothingChecked: (reason) => `Es wurde nichts geprüft: ${reason}.`,
  hubAnswered: (status, path) => `Die Plattform hat auf ${path} mit ${status} geantwortet`,
  notReached: 'Die Plattform war nicht zu erreichen',
  noProof:
    'Die Plattform gibt dafür keinen Nachweis heraus: Was gespeichert ist, ist womöglich nicht, was signiert wurde. Verlassen Sie sich bis dahin nicht auf diese Seite.',
  hubSays: 'Meldung der Plattform (auf Englisch)',
  otherWays: 'Die Links auf dieser Seite führen zur Datei und zu anderen Wegen, sie zu prüfen.',
} satisfies Words['check'];
