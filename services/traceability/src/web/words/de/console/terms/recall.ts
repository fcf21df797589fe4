// Terms of the glossary: recalls, in German.
import type { Words } from '../../../en.ts';

export const recall = {
  words: {
    simulation: 'Simulation',
    case: 'Rückruf',
    caseInConfidence: 'vertraulicher Rückruf',
    disclosure: 'Offenlegung',
    seedLot: 'Ausgangscharge',
    impact: 'Reichweite',
    notice: 'öffentlicher Hinweis',
    notification: 'Benachrichtigung',
    audience: 'Empfängerkreis',
    effectiveness: 'Wirksamkeit',
    drill: 'Übung',
    massBalanceOfDrill: 'Mengenbilanz einer Übung',
    severity: 'Schwere',
    scope: 'Umfang',
    move: 'Schritt',
    linkOfSupplier: 'Verknüpfung eines Lieferanten',
    inboundRecall: 'Rückruf eines Lieferanten',
    advice: 'Ratschlag',
    reconciliation: 'Abgleich',
    accountedFor: 'nachgewiesen',
    suspect: 'verdächtige Charge',
    watch: 'Beobachtung',
  },
  sentences: {
    simulation:
      'Ein Rückruf auf Probe: sagt, was betroffen wäre, jetzt oder zu einem früheren Block, und ändert nichts.',
    case: 'Ein laufender Rückruf, vom Inhaber der Daten eröffnet und über `investigation`, `notification`, `containment` zu `closed` oder `cancelled` geführt.',
    caseInConfidence:
      'Ein Rückruf, von dem bis zum Schritt `notification` nur die Nummer öffentlich ist; bis dahin enthalten seine Blöcke nur Festlegungen.',
    disclosure:
      'Bei einem Rückruf: ein Block, der Wort für Wort sagt, worauf ein vertraulicher Block des Rückrufs festgelegt war.',
    seedLot: 'Die Charge, mit der eine Simulation oder ein Rückruf beginnt.',
    impact:
      'Die Chargen, Lieferungen und Kunden, die ein Rückruf erreicht: so, wie es bei der Eröffnung war, und so, wie es jetzt ist.',
    notice: 'Die öffentliche Bekanntgabe eines offenen Rückrufs für Verbraucher.',
    notification:
      'Eine Nachricht eines Rückrufs an einen Empfängerkreis, aufbewahrt, bis sie mit den Mitteln des Mandanten versandt und bestätigt ist.',
    audience:
      'An wen eine Benachrichtigung geht: `customer`, `channel`, `supplier`, `internal_qa`, `regulator` oder `public`.',
    effectiveness:
      'Wie weit ein Rückruf ist: wer benachrichtigt wurde, wer geantwortet hat, wer schweigt, und wie viel von dem Verkauften bei denen ist, die geantwortet haben.',
    drill:
      'Eine Rückverfolgung zur Probe auf Zeit, als Nachweis aufbewahrt; Verbraucher sehen nichts davon.',
    massBalanceOfDrill:
      'Was in alle ihre Chargen einging, was sie verließ und was übrig ist, nach SKU und Einheit.',
    severity:
      'Wie schlimm der Anlass eines Rückrufs ist: `class_i` bis `class_iii`, `market_withdrawal` oder `unclassified`.',
    scope:
      'Die Chargen, die ein Rückruf umfasst: alle, die in seiner Richtung mit der Ausgangscharge verwandt sind, wie weit entfernt auch immer.',
    move: 'Der Übergang eines Rückrufs von einem Status zum nächsten; aufbewahrt mit dem, der ihn tat, und dem Grund.',
    linkOfSupplier:
      'Dass der Name eines Lieferanten in den Ereignissen einer Marke für eine andere Marke der Plattform steht. Das ist Sache der Marke, die es sagt.',
    inboundRecall:
      'Ein veröffentlichter Rückruf eines verknüpften Lieferanten, der eine Charge umfasst, deren Nummer die Marke von ihm erhalten hat.',
    advice: 'Der Satz eines Hinweises, der Verbrauchern sagt, was zu tun ist.',
    reconciliation:
      'Vergleich dessen, was ein Rückruf umfasst, mit dem, was davon bekannt ist: vorhanden, verwendet, entsorgt, verteilt, beantwortet.',
    accountedFor:
      'Von dem, was geliefert wurde, der Anteil, der nicht verteilt oder an Kunden verkauft wurde, die geantwortet haben.',
    suspect:
      'Ein Vorfahre, der als Ursache einen Rückruf ausweiten würde; geordnet nach der Zahl der Chargen, die er hinzufügen würde.',
    watch:
      'Worum eine Adresse oder ein Browser auf einer öffentlichen Seite gebeten hat: von Rückrufen einer Charge oder eines Produkts zu erfahren. Sie gilt erst, wenn sie bestätigt ist.',
  },
} satisfies Words['console']['help']['terms']['recall'];
