// Recall notices, their list and their pages, in English.
import type { Html } from '@lothub/kit/html';

type Part = string | Html;

export const recalls = {
  title: 'Recalls',
  newestFirst: 'Newest first',
  recall: 'Recall',
  recallTitle: (caseNo: string) => `Recall ${caseNo}`,
  search: 'Product, brand, lot code or GTIN',
  searchButton: 'Search recalls',
  all: 'All recalls',
  older: 'Older',
  newer: 'Newer',
  pages: 'More recalls',
  none: 'There is no recall now.',
  noneFound:
    'No recall is found for this. Check the spelling, and look your lot up: a recall can be made at any time.',
  noneOlder: 'There are no older recalls.',
  cut: (count: string) => `The search looked at the newest ${count} recalls.`,
  kept: (days: string) =>
    `Recalls stay here for ${days} days after they ended, because products may still be in use. How long a product keeps is not recorded on this hub.`,
  reason: 'Reason',
  brand: 'Brand',
  products: 'Products',
  lots: 'Lots',
  noLots: 'none yet',
  more: (count: string) => `and ${count} more`,
  severity: 'Class',
  status: 'Status',
  case: 'Case',
  since: (date: Part) => ['since ', date],
  changed: (date: Part) => ['changed last on ', date],
  ended: (date: Part) => ['ended on ', date],
  endedBadge: 'Ended',
  cancelledBadge: 'Cancelled',
  endedAdvice:
    'This recall has ended: the brand has done what it had to. If you still have such a product, the advice still applies.',
  cancelled: (date: Part) => ['The brand cancelled this recall on ', date, '.'],
  brandsWords: 'in the words of the brand',
  covered: (count: string, isOne: boolean) =>
    isOne
      ? 'One lot is covered now. Lots can still be added: look your own up.'
      : `${count} lots are covered now. Lots can still be added: look your own up.`,
  moreLots: 'More lots',
  decided: 'What was decided',
  sealedSteps:
    'Each step is sealed in a block of the chain, which nobody can change unnoticed. All times are in UTC.',
  laterSteps: 'Later steps',
  furtherParts: (count: string) => `${count} further ${count === '1' ? 'part' : 'parts'}`,
  checkedBelow: (block: Part) => [
    'Checked below is ',
    block,
    ', the newest of these; the page of each block checks that one.',
  ],
  feeds: 'Subscribe to recalls',
  feedTitle: (hub: string) => `Recalls at ${hub}`,
  feedAbout: 'All recall notices, with each change.',
};
