// What the writer's thread does beside writing, again and again: what keeps it from that is logged once.

let lastFailure = '';

/** Logs why something beside writing failed, unless it failed for the same reason before. */
export function warnBesideWriting(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (message !== lastFailure) process.emitWarning(`beside the ledger's writer: ${message}`);
  lastFailure = message;
}
