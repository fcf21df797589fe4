// The console, recalls of suppliers, in English.
import type { Html } from '@lothub/kit/html';

type Part = string | Html;

export const inbound = {
  title: 'Recalls of suppliers',
  lead: 'Published recalls of brands that your suppliers are linked to, as far as they reach your lots.',
  show: 'Show',
  states: { open: 'Open ones', all: 'Those that ended, too' },
  none: 'No recall of a linked supplier reaches your lots.',
  noneHint:
    'Link your suppliers to their brands on this hub, and their recalls come here by themselves.',
  toSuppliers: 'Link suppliers',
  of: (brand: Part) => ['Recall of ', brand],
  since: (at: Part) => ['Since ', at],
  ended: (at: Part) => ['Ended on ', at],
  notice: 'Public notice',
  receivedTitle: 'Received by you',
  code: 'Supplier’s lot',
  supplier: 'Supplier',
  simulate: 'Simulate',
  lotsTitle: 'Your lots that it reaches',
  noLots: 'None of your lots is reached.',
  atLeast: (count: string) => `${count} or more`,
  ownCases: (cases: Part) => ['Your open cases for this: ', cases],
  hold: 'Hold these lots',
  holdAdvice: (count: string) =>
    `Lots put on hold: ${count}, as many as the recall reaches at that moment. No case is opened and no notice is published.`,
  holdNow: 'Hold them now',
  holdReason: 'Reason',
  gone: 'This recall does not reach any of your lots any more. Nothing was held.',
  older: 'Older recalls',
  done: { held: 'All lots that the recall reaches are on hold.' },
};
