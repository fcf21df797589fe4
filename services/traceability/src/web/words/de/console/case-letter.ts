// The text that is sent to whoever a recall case concerns, in German.
import type { Words } from '../../en.ts';

export const letter = {
  subject: (title: string, caseNo: string) => `Rückruf: ${title} (${caseNo})`,
  subjectOfCheck: (title: string, caseNo: string) => `Bitte prüfen: ${title} (${caseNo})`,
  greeting: 'Sehr geehrte Damen und Herren,',
  intro: {
    customer: (brand: string) =>
      `${brand} ruft Ware zurück, die an Sie geliefert oder verkauft wurde.`,
    channel: (brand: string) => `${brand} ruft Ware zurück, die über Sie verkauft wurde.`,
    supplier: (brand: string) =>
      `${brand} ruft Ware zurück, in der Ihre Lieferungen enthalten sind.`,
    internal_qa: (brand: string) => `Ein Rückruf von ${brand} betrifft die unten genannte Ware.`,
    regulator: (brand: string) =>
      `${brand} unterrichtet Sie über den Rückruf der unten genannten Ware.`,
    public: (brand: string) => `${brand} ruft die unten genannte Ware zurück.`,
  },
  request: {
    customer:
      'Bitte verwenden und verkaufen Sie diese Chargen nicht weiter, halten Sie sie getrennt und informieren Sie alle, die sie von Ihnen bekommen haben. Antworten Sie auf diese Nachricht: dass Sie sie gelesen haben, wie viel Sie noch haben und was aus dem Rest wurde.',
    channel:
      'Bitte verkaufen Sie diese Chargen nicht weiter, halten Sie sie getrennt und informieren Sie alle, die sie von Ihnen bekommen haben. Antworten Sie auf diese Nachricht: dass Sie sie gelesen haben, wie viel Sie noch haben und was aus dem Rest wurde.',
    supplier:
      'Bitte prüfen Sie, was bei Ihnen die Ursache sein kann und wen es noch betrifft. Antworten Sie auf diese Nachricht: dass Sie sie gelesen haben und was Sie gefunden haben.',
    internal_qa: 'Bitte sichern Sie, was noch im Haus ist, und bestätigen Sie es.',
    regulator: 'Den Bericht mit allen Chargen und der Verteilerliste erhalten Sie auf Anfrage.',
    public: 'Wie die Ware zurückzugeben ist, steht im öffentlichen Hinweis.',
  },
  reason: (text: string) => `Grund: ${text}`,
  lotsOfYours: 'Chargen, die Sie erhalten haben:',
  lotsOfSupplier: 'Unsere Chargen, in die Ihre Lieferungen eingegangen sind:',
  lotsOfCase: 'Chargen dieses Rückrufs, je mit dem, was davon geliefert oder verkauft wurde:',
  lots: 'Chargen:',
  more: (lots: string) =>
    `und ${lots} weitere Chargen; die vollständige Liste erhalten Sie auf Anfrage`,
  inAll: (amounts: string) => `Zusammen: ${amounts}`,
  contact: (text: string) => `Kontakt: ${text}`,
  notice: (address: string) => `Der öffentliche Hinweis: ${address}`,
  regards: 'Mit freundlichen Grüßen',
} satisfies Words['console']['cases']['letter'];
