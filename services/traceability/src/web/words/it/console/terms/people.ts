// Terms of the glossary: people and keys, in Italian.
import type { Words } from '../../../en.ts';

export const people = {
  words: {
    hub: 'piattaforma',
    tenant: 'cliente della piattaforma',
    brand: 'marchio',
    dataOwner: 'titolare dei dati',
    operator: 'operatore',
    role: 'ruolo',
    right: 'diritto',
    tenantKey: 'chiave di cliente, chiave di amministrazione',
    unboundKey: 'chiave non legata',
    limitOfKey: 'limite di una chiave',
    lastUse: 'ultimo uso',
    actor: 'autore',
    check: 'controllo',
    score: 'punteggio',
    refusedKey: 'chiave rifiutata',
    auditEntry: 'voce di audit',
  },
  sentences: {
    hub: 'Un Lothub con la sua unica catena, qualunque sia il numero dei suoi processi.',
    tenant:
      'Il titolare di dati sulla piattaforma. Legge e scrive solo i propri; nessuno viene a sapere di un altro.',
    brand:
      'Il cliente come lo vedono i consumatori: identificativo e nome. In un blocco, `brand` è l’identificativo del cliente.',
    dataOwner: 'Il cliente che ha registrato un lotto e risponde di ciò che ha registrato.',
    operator:
      'Chi gestisce la piattaforma: emette chiavi, fa copie di sicurezza, verifica; dalla riga di comando o come persona con quel ruolo.',
    role: 'Ciò che qualcuno è in un marchio (`viewer`, `quality`, `manager`), sulla piattaforma (`operator`) o in un gruppo.',
    right:
      'Una cosa che i ruoli consentono, come `hold`; le pagine chiedono un diritto e mai un ruolo.',
    tenantKey:
      'I due tipi di segreto per `/v1`; nessuno sostituisce l’altro. Una chiave di cliente può essere legata a un solo cliente.',
    unboundKey:
      'Una chiave che serve qualsiasi cliente. Un secondo cliente che scrive con essa è mostrato all’operatore.',
    limitOfKey: 'Ciò che una chiave può fare: `read`, `post-events` o `all`.',
    lastUse: 'Il minuto in cui una chiave ha aperto qualcosa l’ultima volta.',
    actor:
      'Chi ha fatto qualcosa, nel registro di audit: una chiave con la sua etichetta e la persona che ha nominato, o una persona per nome.',
    check: 'Una domanda del riepilogo a ciò che è registrato, con quanto ha trovato di sbagliato.',
    score: 'La media dei controlli: da 0 a 100.',
    refusedKey: 'Una chiave che non ha aperto ciò per cui fu inviata; mostrata al solo operatore.',
    auditEntry:
      'Una riga del registro, a cui si può solo aggiungere, di ciò che è stato fatto, a parte dalla catena.',
  },
} satisfies Words['console']['help']['terms']['people'];
