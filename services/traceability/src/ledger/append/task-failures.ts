// Failures of what the writer's thread does periodically besides writing. Each is logged once.

let lastFailure = '';

/** Logs why such a task failed, unless the failure before had the same message. */
export function warnOfTaskFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (message !== lastFailure)
    process.emitWarning(`a task beside the ledger's writer failed: ${message}`);
  lastFailure = message;
}
