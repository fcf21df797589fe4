// Instants of the plain model: as they are posted, and as they are on the chain.

/** `2026-03-02T06:15:00Z`: in UTC, the fraction without trailing zeros; no offset means UTC. */
export function utcText(posted: string): string {
  const hasOffset = /(?:Z|[+-]\d{2}:\d{2})$/.test(posted);
  return Temporal.Instant.from(hasOffset ? posted : `${posted}Z`).toString();
}

/** Negative when the first is earlier. */
export function compareInstants(a: string, b: string): number {
  return Temporal.Instant.compare(Temporal.Instant.from(a), Temporal.Instant.from(b));
}
