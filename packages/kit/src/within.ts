// Waiting for something, and not for longer than it is worth.

/**
 * When the time is over, the pending work continues, and its result or error is ignored.
 * @param limit `late` makes what is thrown when the time is over
 */
export async function within<Result>(
  pending: Promise<Result>,
  limit: { readonly ms: number; readonly late: () => Error },
): Promise<Result> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(limit.late()), limit.ms);
  try {
    return await Promise.race([pending, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
