// Terms of the glossary: people and keys, in English.

export const people = {
  words: {
    hub: 'hub',
    tenant: 'tenant',
    brand: 'brand',
    dataOwner: 'data owner',
    operator: 'operator',
    role: 'role',
    right: 'right',
    tenantKey: 'tenant key, admin key',
    unboundKey: 'unbound key',
    limitOfKey: 'limit of a key',
    lastUse: 'last use',
    actor: 'actor',
    check: 'check',
    score: 'score',
    refusedKey: 'refused key',
    auditEntry: 'audit entry',
  },
  sentences: {
    hub: 'One Lothub with its one chain, whatever the number of its processes.',
    tenant:
      "The owner of data on the hub. Reads and writes are its own; no tenant learns of another's.",
    brand: 'The tenant as consumers see it: id and name. In a payload, `brand` is the tenant id.',
    dataOwner: 'The tenant that recorded a lot, and answers for what it recorded.',
    operator:
      'Whoever runs the hub: issues keys, makes backups, verifies; at the command line, or as a person with that role.',
    role: 'What somebody is in a brand (`viewer`, `quality`, `manager`), in the hub (`operator`) or in a group.',
    right: 'One thing that roles open, such as `hold`; routes name a right and never a role.',
    tenantKey:
      'The two kinds of secret for `/v1`; neither replaces the other. A tenant key may be bound to one tenant.',
    unboundKey:
      'A tenant key that serves any tenant id. A second tenant that writes with it is shown to the operator.',
    limitOfKey: 'What a tenant key may do: `read`, `post-events` or `all`.',
    lastUse: 'The minute in which a key opened something last.',
    actor:
      'Who did something, in the audit log: a key by its label, with the person it named, or a person by name.',
    check: 'A question of the dashboard to what was recorded, with what it found wrong.',
    score: 'The mean of the checks: 0 to 100.',
    refusedKey: 'A key that did not open what it was sent for; shown to the operator alone.',
    auditEntry: 'One line of the append-only log of what was done, apart from the chain.',
  },
};
