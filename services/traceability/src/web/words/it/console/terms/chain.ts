// Terms of the glossary: the chain, in Italian.
import type { Words } from '../../../en.ts';

export const chain = {
  words: {
    chain: 'catena',
    block: 'blocco della catena',
    height: 'altezza',
    genesis: 'blocco di origine',
    seal: 'sigillare',
    replay: 'ripetizione',
    correction: 'correzione',
    effectiveValue: 'valore effettivo',
    void: 'annullare',
    commitment: 'impegno',
    erase: 'cancellare',
    verify: 'verificare',
    verifier: 'verificatore',
    chainValid: 'catena valida',
    proof: 'prova',
  },
  sentences: {
    chain:
      'L’unica sequenza di blocchi di una piattaforma, a cui si può solo aggiungere, con tutti i clienti insieme. Identificata dall’hash del suo primo blocco.',
    block:
      'Un contenuto sigillato: altezza, hash, testo esatto. Mai modificato dopo essere stato aggiunto.',
    height:
      'La posizione di un blocco; il primo è 0. L’identificativo di un evento è l’altezza del suo blocco.',
    genesis:
      'Il blocco 0. Nomina la piattaforma e contiene un valore casuale, perché due catene non siano mai uguali.',
    seal: 'Fare di una bozza un blocco: darle altezza, ora e l’hash precedente, e calcolarne l’hash.',
    replay:
      'Lo stesso evento inviato di nuovo. Si risponde con il blocco della prima volta e non si aggiunge nulla.',
    correction:
      'Un blocco che dice quali campi di un evento precedente erano sbagliati e che cosa è giusto. Il blocco precedente resta com’è.',
    effectiveValue:
      'Il valore di un campo dopo tutte le correzioni; quello originale è il primo registrato.',
    void: 'Correggere lo stato di un evento in `voided`: non è avvenuto.',
    commitment:
      'Un hash di valori privati e di un sale casuale, al posto dei valori. Chi ha entrambi può verificarlo; senza, non dice nulla.',
    erase: 'Eliminare per sempre valori privati e i loro sali. Ogni hash resta verificabile.',
    verify:
      'Ricalcolare l’hash dei blocchi conservati, confrontare ogni legame e confrontare le righe derivate con i loro blocchi.',
    verifier:
      'Il lettore in sottofondo che verifica giro dopo giro, a fette che non disturbano le richieste. Di più processi, uno alla volta.',
    chainValid:
      'Nessuna discrepanza è nota. Una volta falso, resta così finché non riesce una verifica completa di un operatore.',
    proof: 'Altezza e hash di ogni blocco che riporta un lotto, per chi vuole verificare da sé.',
  },
} satisfies Words['console']['help']['terms']['chain'];
