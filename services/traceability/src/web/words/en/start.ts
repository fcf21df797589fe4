// The page at `/`, in English.
export const start = {
  title: 'Where a product comes from',
  lead: (hub: string) =>
    `Brands report to ${hub} what happens to each lot of their products: received, produced, packed, shipped, sold. Each report becomes one block of a public chain of SHA-256 hashes. Whoever keeps the proof of a block can show it if the operator changes or drops the block later. That a report is true is the word of its brand.`,
  readOn: 'Read on',
  recalls: { label: 'Recalls', text: 'Which lots are recalled now, why, and what to do.' },
  explorer: {
    label: 'Chain explorer',
    text: 'Every block of the chain, with its text and how to check it.',
  },
  guide: {
    label: 'Guide',
    text: 'For those who send events or check the chain: from the first event to its proof by hand.',
  },
  api: {
    label: 'API reference',
    text: 'Every endpoint, with examples and a command that calls it.',
  },
  trust: {
    label: 'Whom you have to trust',
    text: 'What is proven and by whom, what the operator can still do, and how to check it without us.',
  },
  format: {
    label: 'Chain format',
    text: 'What is hashed, to the byte: enough to write a verifier of your own.',
  },
  json: {
    label: 'The explorer as JSON',
    text: 'For programs.',
    description: 'Description of the API',
  },
  /** Behind a link to a document that is written in English alone; empty for who reads English. */
  inEnglish: '',
};
