// The source with which the background verifier's worker is started. Each engine has its own.

/** The module that the worker runs, and its data; each engine has its own. */
export interface VerifierSource {
  readonly module: URL;
  /** Plain values; `begin` is added to them. */
  readonly workerData: object;
}
