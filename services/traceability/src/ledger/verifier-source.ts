// What the background verifier's worker is started with. Each engine names its own.

/** What the worker runs and reads; each engine has its own. */
export interface VerifierSource {
  readonly module: URL;
  /** Plain values; `begin` is added to them. */
  readonly workerData: object;
}
