// The page at `/`, in Italian.
import type { Words } from '../en.ts';

export const start = {
  title: 'Da dove viene un prodotto',
  lead: (hub) =>
    `I marchi comunicano a ${hub} che cosa accade a ogni lotto dei loro prodotti: ricevuto, prodotto, confezionato, spedito, venduto. Ogni comunicazione diventa un blocco di una catena pubblica di hash SHA-256. Chi conserva la prova di un blocco può dimostrare che il gestore lo ha modificato o eliminato in seguito. Che una comunicazione sia vera lo garantisce solo la parola del marchio.`,
  readOn: 'Per saperne di più',
  recalls: {
    label: 'Richiami',
    text: 'Quali lotti sono richiamati in questo momento, perché e che cosa fare.',
  },
  explorer: {
    label: 'Explorer della catena',
    text: 'Tutti i blocchi della catena, con il loro testo e il modo di verificarli.',
  },
  guide: {
    label: 'Guida',
    text: 'Per chi invia eventi o verifica la catena: dal primo evento alla sua prova fatta a mano.',
  },
  api: {
    label: 'Documentazione dell’API',
    text: 'Tutti gli endpoint, con esempi e un comando per chiamarli.',
  },
  trust: {
    label: 'Di chi bisogna fidarsi',
    text: 'Che cosa è dimostrato e da chi, che cosa può ancora fare il gestore e come verificarlo senza di noi.',
  },
  format: {
    label: 'Formato della catena',
    text: 'Di che cosa si calcola l’hash, byte per byte: quanto basta per scrivere un proprio verificatore.',
  },
  json: {
    label: 'L’explorer in JSON',
    text: 'Per i programmi.',
    description: 'Descrizione dell’API',
  },
  inEnglish: '(in inglese)',
} satisfies Words['start'];
