// Recall notices, their list and their pages, in German.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

type Part = string | Html;

export const recalls = {
  title: 'Rückrufe',
  newestFirst: 'Neueste zuerst',
  recall: 'Rückruf',
  recallTitle: (caseNo: string) => `Rückruf ${caseNo}`,
  search: 'Produkt, Marke, Chargennummer oder GTIN',
  searchButton: 'Rückrufe suchen',
  all: 'Alle Rückrufe',
  older: 'Ältere',
  newer: 'Neuere',
  pages: 'Weitere Rückrufe',
  none: 'Zurzeit gibt es keinen Rückruf.',
  noneFound:
    'Dazu wurde kein Rückruf gefunden. Prüfen Sie die Schreibweise, und schlagen Sie Ihre Charge nach: Ein Rückruf kann jederzeit beginnen.',
  noneOlder: 'Es gibt keine älteren Rückrufe.',
  cut: (count: string) => `Durchsucht wurden die neuesten ${count} Rückrufe.`,
  kept: (days: string) =>
    `Rückrufe bleiben nach ihrem Ende ${days} Tage hier stehen, denn Produkte können noch in Gebrauch sein. Wie lange ein Produkt haltbar ist, ist auf dieser Plattform nicht erfasst.`,
  reason: 'Grund',
  brand: 'Marke',
  products: 'Produkte',
  lots: 'Chargen',
  noLots: 'noch keine',
  more: (count: string) => `und ${count} weitere`,
  severity: 'Klasse',
  status: 'Stand',
  case: 'Fall',
  since: (date: Part) => ['seit ', date],
  changed: (date: Part) => ['zuletzt geändert am ', date],
  ended: (date: Part) => ['beendet am ', date],
  endedBadge: 'Beendet',
  cancelledBadge: 'Aufgehoben',
  endedAdvice:
    'Dieser Rückruf ist beendet: Die Marke hat getan, was nötig war. Wenn Sie noch ein solches Produkt haben, gilt der Rat weiter.',
  cancelled: (date: Part) => ['Die Marke hat diesen Rückruf am ', date, ' aufgehoben.'],
  brandsWords: 'in den Worten der Marke',
  covered: (count: string, isOne: boolean) =>
    isOne
      ? 'Eine Charge ist jetzt betroffen. Weitere können hinzukommen: Schlagen Sie Ihre nach.'
      : `${count} Chargen sind jetzt betroffen. Weitere können hinzukommen: Schlagen Sie Ihre nach.`,
  moreLots: 'Weitere Chargen',
  decided: 'Was entschieden wurde',
  sealedSteps:
    'Jeder Schritt ist in einem Block der Kette versiegelt, den niemand unbemerkt ändern kann. Alle Zeiten sind in UTC.',
  laterSteps: 'Spätere Schritte',
  furtherParts: (count: string) => `${count} ${count === '1' ? 'weiterer Teil' : 'weitere Teile'}`,
  checkedBelow: (block: Part) => [
    'Unten wird ',
    block,
    ' geprüft, der neueste davon; jeder andere auf seiner eigenen Seite.',
  ],
  feeds: 'Rückrufe abonnieren',
  feedTitle: (hub: string) => `Rückrufe auf ${hub}`,
  feedAbout: 'Alle Rückrufe, mit jeder Änderung.',
} satisfies Words['recalls'];
