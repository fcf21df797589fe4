// The console, what needs somebody now, in English.
import { html, type Html } from '@lothub/kit/html';

export const today = {
  title: 'Today',
  role: (brand: Html, role: string) => html`${brand} · ${role}`,
  needs: 'Needs somebody now',
  nothing: 'Nothing needs you now',
  nothingAdvice:
    'No open recall waits for an answer, no lot is on hold, and the checks found nothing.',
  record: 'Record an event',
  simulate: 'Simulate a recall',
  chainFaulty: 'The chain does not match what was recorded',
  chainFaultyHint: (height: string) =>
    `The first block that does not match is ${height}. Events are still accepted. Whoever operates the hub has to look now.`,
  clock: 'Nothing can be recorded now',
  clockHint: 'The clock of the hub is not believed. Whoever operates the hub has to look now.',
  logHeld: 'The public log is held',
  logHeldHint: 'New blocks are not signed until whoever operates the hub has decided.',
  witnessesBehind: 'The witnesses are behind',
  witnessesBehindHint: (minutes: string) =>
    `For ${minutes} minutes no outside witness has confirmed the newest blocks.`,
  notNotified: 'nobody has been notified yet',
  toSend: (count: string) => `${count} to send`,
  unanswered: (count: string) => `${count} without an answer`,
  allAnswered: 'all notifications answered',
  allCases: 'All open recalls',
  allCasesHint: 'Work through their notifications, and close what is done.',
  inbound: 'Recalls of your suppliers reach your lots',
  inboundHint: 'Look at which of your lots they reached, and hold them.',
  breaches: 'Lots were moved while on hold',
  breachesHint: (days: string) => `In the last ${days} days, the newest first.`,
  imports: 'Imports with errors',
  importsHint: (days: string) =>
    `In the last ${days} days files failed or rows were left out: mend them and send them again.`,
  onHold: 'Lots on hold',
  onHoldHint: 'Release them, or decide what becomes of them.',
  checking: 'The checks are under way. Look again in a moment.',
  numbers: 'In numbers',
  events24h: 'Events in 24 hours',
  lastEvent: 'Newest event',
  lots: 'Lots',
  recalled: 'Recalled lots',
  score: 'Checks',
  outOf100: (score: string) => `${score} of 100`,
  lastDrill: 'Last drill',
  never: 'never',
  daysAgo: (days: string) => `${days} days ago`,
  todayWord: 'today',
  trust: 'The chain and its witnesses',
  verified: (height: string, at: Html) => html`All blocks up to ${height} checked at ${at}`,
  verifying: (height: string, tip: string) => `Checked up to block ${height} of ${tip}`,
  notVerified: 'The first check has not ended yet',
  log: {
    off: 'No public log',
    building: 'The public log is being built',
    signing: 'Every block is signed in the public log',
    held: 'The public log is held',
  },
  quorum: (cosigned: string, counting: string) => `Witnesses: ${cosigned} of ${counting}`,
  noWitnesses: 'No outside witnesses',
  explore: 'Look at the chain',
  list: {
    looked: (count: string, total: string) =>
      `${count} of ${total} looked at. The checks look at the newest events and lots.`,
    cut: (count: string) => `The newest ${count} are listed.`,
    at: (at: Html) => html`Checked at ${at}.`,
    none: 'Nothing of this kind was found.',
    event: 'Event',
    occurred: 'Occurred',
    reference: 'Reference',
    lot: 'Lot',
    product: 'Product',
    when: 'When',
    who: 'Who',
  },
  checks: {
    provenance_complete: {
      title: 'Deliveries without a complete provenance',
      advice:
        'Correct the delivery: name the supplier, the place it came from, and the supplier’s lot code.',
    },
    lots_have_origin: {
      title: 'Lots that came from nowhere',
      advice: 'Record the delivery or the production that they came from.',
    },
    production_linked: {
      title: 'Productions without the other side',
      advice: 'Record what went in or what came out, under the same reference.',
    },
    lots_not_over_issued: {
      title: 'Lots of which more went out than came in',
      advice:
        'Look for a wrong unit, a delivery that was not recorded, or a number that was typed wrongly, and correct it.',
    },
    yield_plausible: {
      title: 'Productions with an unlikely yield',
      advice: 'Compare what went in with what came out, and correct the quantity that is wrong.',
    },
    units_agree: {
      title: 'Lots counted in two units',
      advice:
        'Correct the lines so that a product of a lot has one unit: else nothing can be added up.',
    },
    recorded_in_time: {
      title: 'Events recorded over a day late',
      advice: 'Until they were recorded nobody could trace them. Find out where the records wait.',
    },
    sales_name_customer: {
      title: 'Sales without a customer',
      advice: 'Correct the sale: without a customer nobody can be notified of a recall.',
    },
    drilled_in_time: {
      title: 'A recall drill is due',
      advice: 'Once a year at the least. It takes a minute, and leaves a certificate.',
    },
    hold_breaches: {
      title: 'Lots moved while on hold',
      advice: 'Find out why, and get back what went out.',
    },
  },
  steps: {
    title: 'The way to your first drill',
    lead: 'Three steps, and a recall is no longer a surprise.',
    done: 'Done',
    file: 'Bring in your first file',
    fileText:
      'Drop a CSV or Excel file with deliveries and productions. It is checked first; nothing is stored before you say so.',
    fileDo: 'Import a file',
    recordDo: 'Or record one event by hand',
    label: 'Print your first label',
    labelText: 'The symbol on a product leads consumers to the page of its lot.',
    labelDo: 'Make a label',
    labelWait: 'A label needs a lot: bring in a file first.',
    drill: 'Run your first drill',
    drillText:
      'Trace a lot as in a recall. The hub takes the time and keeps a certificate; consumers see nothing of it.',
    drillDo: 'Start a drill',
    drillWait: 'A drill needs lots: bring in a file first.',
    needsRole: (role: string) => `This needs the role ${role}.`,
  },
};
