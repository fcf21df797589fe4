// The text that is sent to whoever a recall case concerns, in Italian.
import type { Words } from '../../en.ts';

export const letter = {
  subject: (title: string, caseNo: string) => `Richiamo: ${title} (${caseNo})`,
  subjectOfCheck: (title: string, caseNo: string) => `Da verificare: ${title} (${caseNo})`,
  greeting: 'Gentili Signore e Signori,',
  intro: {
    customer: (brand: string) =>
      `${brand} richiama prodotti che vi sono stati consegnati o venduti.`,
    channel: (brand: string) => `${brand} richiama prodotti venduti tramite voi.`,
    supplier: (brand: string) =>
      `${brand} richiama prodotti che contengono quanto avete consegnato.`,
    internal_qa: (brand: string) => `Un richiamo di ${brand} riguarda i prodotti seguenti.`,
    regulator: (brand: string) => `${brand} vi informa del richiamo dei prodotti seguenti.`,
    public: (brand: string) => `${brand} richiama i prodotti seguenti.`,
  },
  request: {
    customer:
      'Vi preghiamo di non utilizzare né vendere più questi lotti, di tenerli separati e di avvisare chi li ha ricevuti da voi. Rispondete a questo messaggio: confermate di averlo letto, quanto vi resta e che cosa è stato del resto.',
    channel:
      'Vi preghiamo di non vendere più questi lotti, di tenerli separati e di avvisare chi li ha ricevuti da voi. Rispondete a questo messaggio: confermate di averlo letto, quanto vi resta e che cosa è stato del resto.',
    supplier:
      'Vi preghiamo di verificare quale possa essere la causa da parte vostra e chi altro sia interessato. Rispondete a questo messaggio: confermate di averlo letto e che cosa avete trovato.',
    internal_qa: 'Vi preghiamo di mettere al sicuro quanto è ancora in casa e di confermarlo.',
    regulator:
      'Il rapporto con tutti i lotti e l’elenco di distribuzione è disponibile su richiesta.',
    public: 'L’avviso pubblico spiega come restituire i prodotti.',
  },
  reason: (text: string) => `Motivo: ${text}`,
  lotsOfYours: 'Lotti che avete ricevuto:',
  lotsOfSupplier: 'Nostri lotti in cui sono entrate le vostre consegne:',
  lotsOfCase: 'Lotti di questo richiamo, con quanto consegnato o venduto di ciascuno:',
  lots: 'Lotti:',
  more: (lots: string) => `e altri ${lots} lotti; l’elenco completo è disponibile su richiesta`,
  inAll: (amounts: string) => `In tutto: ${amounts}`,
  contact: (text: string) => `Contatto: ${text}`,
  notice: (address: string) => `L’avviso pubblico: ${address}`,
  regards: 'Cordiali saluti',
} satisfies Words['console']['cases']['letter'];
