// Whether somebody made a label for a brand in this browser. Labels are only shown and stored nowhere, so that the
// browser alone can know: others of the brand see the step as open until they make a label, too.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { brandPath } from '../paths.ts';

const COOKIE = 'lothub_label';
/** As long as browsers keep a cookie at the longest. */
const KEPT_SECONDS = 400 * 24 * 3_600;

export function hasMadeLabel({ cookies }: Pick<FastifyRequest, 'cookies'>): boolean {
  return cookies[COOKIE] === 'yes';
}

/** To be called by the page that shows the labels of a lot. */
export function rememberLabel(reply: FastifyReply, brand: string): void {
  void reply.setCookie(COOKIE, 'yes', {
    path: brandPath(brand),
    maxAge: KEPT_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
  });
}
