// Remembers in this browser that somebody made a label for a brand. Labels are shown and not stored, so only
// the browser can know it: other people of the brand see the step as open until they make a label, too.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { brandPath } from '../paths.ts';

const COOKIE = 'lothub_label';
/** The longest time for which browsers keep a cookie. */
const KEPT_SECONDS = 400 * 24 * 3_600;

export function hasMadeLabel({ cookies }: Pick<FastifyRequest, 'cookies'>): boolean {
  return cookies[COOKIE] === 'yes';
}

/** Call it from the page that shows the labels of a lot. */
export function rememberLabel(reply: FastifyReply, brand: string): void {
  void reply.setCookie(COOKIE, 'yes', {
    path: brandPath(brand),
    maxAge: KEPT_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
  });
}
