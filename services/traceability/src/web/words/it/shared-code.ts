// The page of a lot code that several brands use, in Italian.
import type { Words } from '../en.ts';

export const sharedCode = {
  title: (code) => `Lotto ${code}: quale marchio?`,
  lead: 'Più marchi usano questo numero di lotto. Di quale marchio è il Suo prodotto?',
  notices: 'Richiami in corso per questo numero di lotto',
  allNotices: 'Tutti i richiami per questo numero di lotto',
  choose: 'Scelga il marchio del Suo prodotto',
  nothingSaid:
    'Nulla in questa pagina dice che un prodotto sia inalterato o sicuro: scelga prima il suo marchio.',
  openRecall: 'richiamo in corso',
  openRecalls: (count) => `${count} richiami in corso`,
  firstBrands: (count) => `Questi sono i primi ${count} marchi che usano questo numero.`,
  lotCode: 'Numero di lotto',
  brandId: 'Marchio, con il suo identificativo su questa piattaforma',
} satisfies Words['sharedCode'];
