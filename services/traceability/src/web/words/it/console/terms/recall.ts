// Terms of the glossary: recalls, in Italian.
import type { Words } from '../../../en.ts';

export const recall = {
  words: {
    simulation: 'simulazione',
    case: 'pratica di richiamo',
    caseInConfidence: 'richiamo riservato',
    disclosure: 'rivelazione',
    seedLot: 'lotto di partenza',
    impact: 'portata',
    notice: 'avviso',
    notification: 'notifica',
    audience: 'pubblico',
    effectiveness: 'efficacia',
    drill: 'esercitazione',
    massBalanceOfDrill: 'bilancio di massa di un’esercitazione',
    severity: 'gravità',
    scope: 'ambito',
    move: 'passaggio',
    linkOfSupplier: 'collegamento di un fornitore',
    inboundRecall: 'richiamo di un fornitore',
    advice: 'consiglio',
    reconciliation: 'riconciliazione',
    accountedFor: 'giustificato',
    suspect: 'lotto sospetto',
    watch: 'osservazione',
  },
  sentences: {
    simulation:
      'Un richiamo di prova: dice che cosa sarebbe interessato, ora o a un blocco precedente, e non cambia nulla.',
    case: 'Un richiamo in corso, aperto dal titolare dei dati e condotto per `investigation`, `notification`, `containment` fino a `closed`, o `cancelled`.',
    caseInConfidence:
      'Un richiamo di cui solo il numero è pubblico prima del passaggio a `notification`; fino ad allora i suoi blocchi contengono impegni.',
    disclosure:
      'Di un richiamo: un blocco che dice, parola per parola, su che cosa si era impegnato un blocco riservato.',
    seedLot: 'Il lotto da cui comincia una simulazione o un richiamo.',
    impact:
      'I lotti, le spedizioni e i clienti che un richiamo raggiunge: com’era all’apertura e com’è ora.',
    notice: 'L’annuncio pubblico di un richiamo aperto, per i consumatori.',
    notification:
      'Un messaggio di un richiamo a un pubblico, conservato finché gli strumenti del cliente non l’hanno inviato e confermato.',
    audience:
      'A chi è rivolta una notifica: `customer`, `channel`, `supplier`, `internal_qa`, `regulator` o `public`.',
    effectiveness:
      'A che punto è un richiamo: chi è stato avvisato, chi ha risposto, chi tace, e quanto del venduto è presso chi ha risposto.',
    drill:
      'Una rintracciabilità di prova cronometrata, conservata come evidenza; i consumatori non ne vedono nulla.',
    massBalanceOfDrill:
      'Ciò che è entrato in tutti i suoi lotti, ciò che ne è uscito e ciò che resta, per SKU e unità.',
    severity:
      'Quanto è grave la causa di un richiamo: da `class_i` a `class_iii`, `market_withdrawal` o `unclassified`.',
    scope:
      'I lotti che un richiamo comprende: quelli legati al lotto di partenza nella sua direzione, per quanto lontani.',
    move: 'Il passo di un richiamo da uno stato al successivo; conservato con chi l’ha fatto e perché.',
    linkOfSupplier:
      'Che il nome di un fornitore negli eventi di un marchio indica un altro marchio della piattaforma. Riguarda solo il marchio che lo dice.',
    inboundRecall:
      'Un richiamo pubblicato di un fornitore collegato che comprende un lotto il cui codice il marchio ha ricevuto da lui.',
    advice: 'La frase di un avviso che dice ai consumatori che cosa fare.',
    reconciliation:
      'Confronto tra ciò che un richiamo comprende e ciò che se ne sa: presente, usato, smaltito, distribuito, coperto da risposte.',
    accountedFor:
      'Di quanto fornito, la parte non distribuita o venduta a clienti che hanno risposto.',
    suspect:
      'Un antenato che, se fosse la causa, allargherebbe un richiamo; ordinato per quanti lotti aggiungerebbe.',
    watch:
      'Ciò che un indirizzo o un browser ha chiesto su una pagina pubblica: essere avvisato dei richiami di un lotto o di un prodotto. Vale solo dopo la conferma.',
  },
} satisfies Words['console']['help']['terms']['recall'];
