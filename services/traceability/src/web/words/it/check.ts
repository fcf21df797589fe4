// "Check in this browser", in Italian.
import type { Words } from '../en.ts';

export const check = {
  button: 'Verifica in questo browser',
  checking: 'Verifica in corso…',
  heading: 'Verificato in questo browser',
  proved: 'Dimostrato',
  seen: (cosigned, members, at) =>
    `e visto da ${cosigned} testimoni indipendenti su ${members}: esisteva al più tardi il ${at}.`,
  operatorOnly: 'sulla sola parola del gestore: nessun altro ha firmato.',
  refused: 'Respinto:',
  good: 'In ordine.',
  wrong: 'Errato.',
  meanings: {
    file: 'Il file è ben formato e riguarda ciò di cui parla questa pagina.',
    epochs:
      'Il gestore ha firmato che il registro prosegue con un altro nome, e che cosa è andato perso.',
    log: 'Il gestore ha firmato l’albero a cui portano questi hash.',
    witnesses:
      'Ciascuno di questi testimoni conserva l’albero più recente che ha visto di questo registro e non ne firma nessuno che lo contraddica.',
    blocks: 'Ogni testo dà il suo hash, e il suo hash porta alla radice firmata.',
    chain: 'I blocchi consecutivi citano l’uno l’hash dell’altro.',
    kept: 'L’albero prosegue quello verificato in precedenza.',
    disclosures: 'I valori rivelati corrispondono a ciò a cui i blocchi si erano impegnati.',
  },
  refusals: {
    malformed: 'Ciò che la piattaforma ha inviato non è una prova, o riguarda altro.',
    unknown_log: 'La prova è di un registro diverso da quello di questa piattaforma.',
    bad_signature: 'Una firma non è quella del gestore.',
    no_quorum: 'Lo hanno confermato troppo pochi testimoni.',
    not_in_tree:
      'Ciò che è memorizzato ora non è ciò che è stato firmato: è stato modificato in seguito.',
    other_height: 'Il testo è quello di un altro blocco.',
    not_canonical: 'Il testo non è quello di un blocco: è stato modificato in seguito.',
    rolled_back: 'Il registro è più corto di uno già visto: qualcosa è stato tolto.',
    split_view: 'Il gestore ha firmato due registri che si contraddicono.',
  },
  operatorsWord:
    'Nessun altro ha firmato: è dunque la parola del gestore, di cui dovrà rispondere.',
  verifierSays: 'Messaggio del programma di verifica (in inglese)',
  ownKey:
    'Questa pagina, il suo programma, la chiave e i nomi dei testimoni provengono da questa piattaforma. Confronti la chiave con una ottenuta altrove, o verifichi il file con un programma proprio:',
  tooOld: 'Questo browser non può verificare firme qui: servono https e una versione più recente.',
  nothingChecked: (reason) => `Non è stato verificato nulla: ${reason}.`,
  hubAnswered: (status, path) => `la piattaforma ha risposto ${status} per ${path}`,
  notReached: 'non è stato possibile raggiungere la piattaforma',
  noProof:
    'La piattaforma non ne rilascia alcuna prova: ciò che è memorizzato potrebbe non essere ciò che è stato firmato. Fino ad allora non si fidi di questa pagina.',
  hubSays: 'Messaggio della piattaforma (in inglese)',
  otherWays: 'I link di questa pagina portano al file e ad altri modi per verificarlo.',
} satisfies Words['check'];
