/** The host that logs and witnesses take their names from. */

/** Names that every machine has for itself: none that others know it by. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Host and port of the address that others use; undefined when there is none but the machine's own. */
export function namingHost(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  const { host, hostname } = new URL(publicUrl);
  return LOOPBACK.test(hostname) ? undefined : host;
}
