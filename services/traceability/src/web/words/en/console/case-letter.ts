// The text that is sent to a recipient of a recall case, in English. Plain text: it is copied into a message.
import type { Audience } from '../../../../recall/notification-status.ts';

const intro: Readonly<Record<Audience, (brand: string) => string>> = {
  customer: (brand) => `${brand} is recalling goods that were delivered or sold to you.`,
  channel: (brand) => `${brand} is recalling goods that were sold through you.`,
  supplier: (brand) => `${brand} is recalling goods that hold what you delivered.`,
  internal_qa: (brand) => `A recall case of ${brand} concerns the goods below.`,
  regulator: (brand) => `${brand} informs you of a recall of the goods below.`,
  public: (brand) => `${brand} is recalling the goods below.`,
};

const request: Readonly<Record<Audience, string>> = {
  customer:
    'Please stop using and selling these lots, keep them apart, and tell whoever got them from you. Answer this message: say that you have read it, how much you still have, and what became of the rest.',
  channel:
    'Please stop selling these lots, keep them apart, and tell whoever got them from you. Answer this message: say that you have read it, how much you still have, and what became of the rest.',
  supplier:
    'Please check what the cause may be at your side and whom else it concerns. Answer this message: say that you have read it and what you found.',
  internal_qa: 'Please secure what is still in the house and confirm it.',
  regulator:
    'The report of the case with all lots and the distribution list is available on request.',
  public: 'How to return the goods is written in the notice.',
};

export const letter = {
  subject: (title: string, caseNo: string) => `Recall: ${title} (${caseNo})`,
  subjectOfCheck: (title: string, caseNo: string) => `Please check: ${title} (${caseNo})`,
  greeting: 'Dear Sir or Madam,',
  intro,
  request,
  reason: (text: string) => `Reason: ${text}`,
  lotsOfYours: 'Lots that reached you:',
  lotsOfSupplier: 'Our lots that your deliveries went into:',
  lotsOfCase: 'Lots of this recall, with what was delivered or sold of each:',
  lots: 'Lots:',
  more: (lots: string) => `and ${lots} more lots; ask us for the full list`,
  inAll: (amounts: string) => `In all: ${amounts}`,
  contact: (text: string) => `Contact: ${text}`,
  notice: (address: string) => `The notice: ${address}`,
  regards: 'Kind regards',
};
