// The page of a lot code that several brands use, in German.
import type { Words } from '../en.ts';

export const sharedCode = {
  title: (code) => `Charge ${code}: welche Marke?`,
  lead: 'Mehrere Marken verwenden diese Chargennummer. Von welcher Marke ist Ihr Produkt?',
  notices: 'Offene Rückrufe zu dieser Chargennummer',
  allNotices: 'Alle Rückrufe zu dieser Chargennummer',
  choose: 'Wählen Sie die Marke Ihres Produkts',
  nothingSaid:
    'Nichts auf dieser Seite besagt, dass ein Produkt unverändert oder sicher ist: Wählen Sie zuerst seine Marke.',
  openRecall: 'offener Rückruf',
  openRecalls: (count) => `${count} offene Rückrufe`,
  firstBrands: (count) => `Das sind die ersten ${count} Marken, die diese Chargennummer verwenden.`,
  lotCode: 'Chargennummer',
  brandId: 'Marke, mit ihrer Kennung auf dieser Plattform',
} satisfies Words['sharedCode'];
