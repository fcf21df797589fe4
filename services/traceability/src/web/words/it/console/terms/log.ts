// Terms of the glossary: the public log, in Italian.
import type { Words } from '../../../en.ts';

export const log = {
  words: {
    log: 'registro pubblico',
    logCheckpoint: 'punto di controllo del registro',
    inclusionProof: 'prova di inclusione',
    evidenceFile: 'file di prova',
    outsideWitness: 'testimone esterno',
    timeStamp: 'marca temporale',
    cosignature: 'cofirma',
    policy: 'politica',
    held: 'sospeso',
  },
  sentences: {
    log: 'L’albero di Merkle sugli hash di tutti i blocchi, che il suo operatore firma.',
    logCheckpoint:
      'Origine, dimensione e radice di quell’albero, firmate dal registro e forse da testimoni. Mai solo «checkpoint» dove si possano intendere altezza e hash annotati.',
    inclusionProof: 'Gli hash che conducono dalla voce di un blocco alla radice.',
    evidenceFile:
      'I blocchi di un lotto con le loro prove di inclusione sotto un punto di controllo del registro.',
    outsideWitness:
      'Qualcun altro che ha visto un punto di controllo del registro, ha constatato che era solo cresciuto e l’ha firmato a sua volta.',
    timeStamp:
      'La risposta di un servizio di marcatura temporale (RFC 3161) su un punto di controllo del registro: esisteva al più tardi allora. Mai un’ora scritta dalla piattaforma.',
    cosignature: 'Ciò che firma un testimone esterno: un’ora e un punto di controllo del registro.',
    policy: 'Alle firme di chi crede un lettore, e quanti testimoni esterni servono: il quorum.',
    held: 'Del registro: nulla è firmato finché un operatore non ha deciso, perché ciò che è conservato potrebbe contraddire ciò che è stato firmato.',
  },
} satisfies Words['console']['help']['terms']['log'];
