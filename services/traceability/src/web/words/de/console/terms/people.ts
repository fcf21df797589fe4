// Terms of the glossary: people and keys, in German.
import type { Words } from '../../../en.ts';

export const people = {
  words: {
    hub: 'Plattform',
    tenant: 'Mandant',
    brand: 'Marke',
    dataOwner: 'Inhaber der Daten',
    operator: 'Betreiber',
    role: 'Rolle',
    right: 'Recht',
    tenantKey: 'Schlüssel für Mandanten, Schlüssel für Betreiber',
    unboundKey: 'ungebundener Schlüssel',
    limitOfKey: 'Grenze eines Schlüssels',
    lastUse: 'letzte Benutzung',
    actor: 'Handelnde Person',
    check: 'Prüfung',
    score: 'Punktzahl',
    refusedKey: 'abgelehnter Schlüssel',
    auditEntry: 'Eintrag im Protokoll',
  },
  sentences: {
    hub: 'Ein Lothub mit seiner einen Kette, wie viele Prozesse es auch hat.',
    tenant:
      'Wem Daten auf der Plattform gehören. Er liest und schreibt nur Eigenes; kein Mandant erfährt von einem anderen.',
    brand:
      'Der Mandant, wie Verbraucher ihn sehen: Kennung und Name. In einem Block ist `brand` die Kennung des Mandanten.',
    dataOwner:
      'Der Mandant, der eine Charge aufgezeichnet hat und für das Aufgezeichnete einsteht.',
    operator:
      'Wer die Plattform betreibt: stellt Schlüssel aus, macht Sicherungen, prüft; an der Befehlszeile oder als Person mit dieser Rolle.',
    role: 'Was jemand in einer Marke (`viewer`, `quality`, `manager`), auf der Plattform (`operator`) oder in einer Gruppe ist.',
    right:
      'Etwas, das Rollen erlauben, etwa `hold`; Seiten verlangen ein Recht und nie eine Rolle.',
    tenantKey:
      'Die zwei Arten von Geheimnissen für `/v1`; keine ersetzt die andere. Ein Schlüssel für Mandanten kann an einen Mandanten gebunden sein.',
    unboundKey:
      'Ein Schlüssel, der für jeden Mandanten gilt. Schreibt ein zweiter Mandant damit, sieht es der Betreiber.',
    limitOfKey: 'Was ein Schlüssel darf: `read`, `post-events` oder `all`.',
    lastUse: 'Die Minute, in der ein Schlüssel zuletzt etwas geöffnet hat.',
    actor:
      'Wer etwas getan hat, im Protokoll: ein Schlüssel mit seiner Bezeichnung und der Person, die er nannte, oder eine Person mit Namen.',
    check: 'Eine Frage der Übersicht an das Aufgezeichnete, mit dem, was sie falsch fand.',
    score: 'Der Mittelwert der Prüfungen: 0 bis 100.',
    refusedKey:
      'Ein Schlüssel, der nicht öffnete, wofür er gesendet wurde; nur dem Betreiber gezeigt.',
    auditEntry:
      'Eine Zeile des Protokolls, an das nur angehängt wird, über das, was getan wurde, neben der Kette.',
  },
} satisfies Words['console']['help']['terms']['people'];
