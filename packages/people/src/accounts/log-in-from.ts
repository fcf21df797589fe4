// Logs somebody in on a route: with where the request comes from, and the cookies that the browser keeps then.
import { addressOf } from '@lothub/kit/http/client-address';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessDeps } from '../access/gate.ts';
import type { LoggedIn } from './begin-session.ts';
import { browserOf, letIn } from './entrance.ts';
import { logIn } from './log-in.ts';
import type { LogInDeps, LogInRequest } from './log-in.ts';

/** @throws PeopleProblem as `logIn` */
export async function logInFrom(
  people: LogInDeps & Pick<AccessDeps, 'cookies'>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { email, password }: Pick<LogInRequest, 'email' | 'password'>,
): Promise<LoggedIn> {
  const loggedIn = await logIn(people, {
    email,
    password,
    address: addressOf(request),
    browser: browserOf(people, request),
    oldSecret: people.cookies.sessionOf(request),
  });
  letIn(people, reply, loggedIn);
  return loggedIn;
}
