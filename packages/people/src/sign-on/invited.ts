// Somebody without an account who comes from the link of an invitation: a reason to make one.
import { PeopleProblem } from '../errors.ts';
import { viewInvitation } from '../invitations/accept.ts';
import type { InvitationDeps } from '../invitations/deps.ts';

/** The page of an invitation, of either service. */
const INVITATION_PATH = /^\/(?:console|inbox)\/invitation\/([0-9A-Za-z]{1,100})$/;

/**
 * Whether a path is that of an open invitation that somebody may use. It is not accepted: its page asks first.
 * @param of `email` as the provider verified it, in lower case
 */
export async function isInvited(
  deps: InvitationDeps,
  of: { readonly path: string; readonly email: string },
): Promise<boolean> {
  const secret = INVITATION_PATH.exec(of.path)?.[1];
  if (secret === undefined) return false;
  try {
    const { email } = await viewInvitation(deps, secret);
    return email === null || email === of.email;
  } catch (error) {
    if (error instanceof PeopleProblem) return false;
    throw error;
  }
}
