// What a start says of the link that makes the first account.
import type { SharedSettings } from '@lothub/kit/shared-settings';

export function setUpLines(url: string): readonly string[] {
  return [
    'Nobody has an account yet. This link makes the first one, once and within 24 hours:',
    '',
    `     ${url}`,
  ];
}

/** Uses the address that the service listens on when no public address is set. */
export function reachableLink(
  url: string,
  {
    settings: { isPublicUrlSet, publicUrl },
    address,
  }: {
    readonly settings: Pick<SharedSettings, 'isPublicUrlSet' | 'publicUrl'>;
    readonly address: string;
  },
): string {
  return isPublicUrlSet ? url : `${address}${url.slice(publicUrl.length)}`;
}
