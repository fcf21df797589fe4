// What the pool and its workers agree on.

/** A worker writes it to both its streams when a file has ended: what comes before is of that file. */
export const FILE_ENDS = '\u0000file ends\u0000';
