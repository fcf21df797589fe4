// Recall notices, their list and their pages, in Italian.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

type Part = string | Html;

export const recalls = {
  title: 'Richiami',
  newestFirst: 'I più recenti per primi',
  recall: 'Richiamo',
  recallTitle: (caseNo: string) => `Richiamo ${caseNo}`,
  search: 'Prodotto, marchio, codice del lotto o GTIN',
  searchButton: 'Cerca richiami',
  all: 'Tutti i richiami',
  older: 'Precedenti',
  newer: 'Più recenti',
  pages: 'Altri richiami',
  none: 'Ora non c’è alcun richiamo.',
  noneFound:
    'Nessun richiamo trovato. Controlli l’ortografia e cerchi il suo lotto: un richiamo può iniziare in qualsiasi momento.',
  noneOlder: 'Non ci sono richiami precedenti.',
  cut: (count: string) => `La ricerca ha esaminato i ${count} richiami più recenti.`,
  kept: (days: string) =>
    `I richiami restano qui per ${days} giorni dopo la fine, perché i prodotti possono essere ancora in uso. Su questa piattaforma non è registrato quanto dura un prodotto.`,
  reason: 'Motivo',
  brand: 'Marchio',
  products: 'Prodotti',
  lots: 'Lotti',
  noLots: 'ancora nessuno',
  more: (count: string) => `e altri ${count}`,
  severity: 'Classe',
  status: 'Stato',
  case: 'Caso',
  since: (date: Part) => ['dal ', date],
  changed: (date: Part) => ['modificato il ', date],
  ended: (date: Part) => ['concluso il ', date],
  endedBadge: 'Concluso',
  cancelledBadge: 'Annullato',
  endedAdvice:
    'Questo richiamo è concluso: il marchio ha fatto il necessario. Se ha ancora un prodotto simile, il consiglio resta valido.',
  cancelled: (date: Part) => ['Il marchio ha annullato questo richiamo il ', date, '.'],
  brandsWords: 'nelle parole del marchio',
  covered: (count: string, isOne: boolean) =>
    isOne
      ? 'Ora riguarda un lotto. Se ne possono aggiungere altri: cerchi il suo.'
      : `Ora riguarda ${count} lotti. Se ne possono aggiungere altri: cerchi il suo.`,
  moreLots: 'Altri lotti',
  decided: 'Che cosa è stato deciso',
  sealedSteps:
    'Ogni passo è sigillato in un blocco della catena, che nessuno può cambiare senza che si noti. Tutti gli orari sono in UTC.',
  laterSteps: 'Passi successivi',
  furtherParts: (count: string) => `${count} ${count === '1' ? 'altra parte' : 'altre parti'}`,
  checkedBelow: (block: Part) => [
    'Qui sotto si verifica ',
    block,
    ', il più recente; la pagina di ogni blocco verifica il suo.',
  ],
  feeds: 'Abbonarsi ai richiami',
  feedTitle: (hub: string) => `Richiami su ${hub}`,
  feedAbout: 'Tutti i richiami, con ogni modifica.',
} satisfies Words['recalls'];
