// Terms of the glossary: recalls, in English.

export const recall = {
  words: {
    simulation: 'simulation',
    case: 'case',
    caseInConfidence: 'case in confidence',
    disclosure: 'disclosure',
    seedLot: 'seed lot',
    impact: 'impact',
    notice: 'notice',
    notification: 'notification',
    audience: 'audience',
    effectiveness: 'effectiveness',
    drill: 'drill',
    massBalanceOfDrill: 'mass balance of a drill',
    severity: 'severity',
    scope: 'scope',
    move: 'move',
    linkOfSupplier: 'link of a supplier',
    inboundRecall: 'inbound recall',
    advice: 'advice',
    reconciliation: 'reconciliation',
    accountedFor: 'accounted for',
    suspect: 'suspect',
    watch: 'watch',
  },
  sentences: {
    simulation:
      'A dry run of a recall: says what would be affected, now or as of an earlier block, and changes nothing.',
    case: 'A recall in progress, opened by the data owner and moved through `investigation`, `notification`, `containment` to `closed`, or `cancelled`.',
    caseInConfidence:
      'A case of which nothing but its number is public before it moves to `notification`; its blocks hold commitments until then.',
    disclosure:
      'Of a recall: a block that says, word by word, what a confidential block of the case committed to.',
    seedLot: 'The lot a simulation or a case starts from.',
    impact:
      'The lots, shipments and customers a case reaches: as it was at opening, and as it is now.',
    notice: 'The public announcement of an open case, for consumers.',
    notification:
      "One message of a case to one audience, kept until the tenant's own tools have sent and confirmed it.",
    audience:
      'Whom a notification is for: a `customer`, a `channel`, a `supplier`, `internal_qa`, the `regulator` or the `public`.',
    effectiveness:
      'How far a case has come: who was notified, who responded, who is silent, and how much of what was sold is with those who responded.',
    drill: 'A timed practice trace, kept as evidence; consumers see nothing of it.',
    massBalanceOfDrill:
      'What came into all its lots, what left them and what remains, by SKU and unit.',
    severity:
      'How bad the cause of a case is: `class_i` to `class_iii`, `market_withdrawal` or `unclassified`.',
    scope:
      'The lots that a case covers: those related to its seed lot in its direction, however far away.',
    move: 'A step of a case from one status to the next; kept with who made it and why.',
    linkOfSupplier:
      "That a supplier's name in a brand's events stands for another brand of the hub. The business of the brand that says so.",
    inboundRecall:
      'A published case of a linked supplier that covers a lot whose code the brand received from it.',
    advice: 'The sentence of a notice that says what consumers should do.',
    reconciliation:
      'Comparison of what a case covers with what is known of it: on hand, used, disposed of, distributed, answered for.',
    accountedFor:
      'Of what was supplied, the share that was not distributed, or that was sold to customers who have answered.',
    suspect:
      'An ancestor that, if it were the cause, would widen a recall; ranked by how many lots it would add.',
    watch:
      'What an address or a browser asked for on a public page: to be notified of recalls of a lot or a product. It is confirmed before it counts.',
  },
};
