// Logs somebody in on a route: with where the request comes from, and the cookies that the browser keeps then.
import { readClientAddress } from '@lothub/kit/http/client-address';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessDeps } from '../access/gate.ts';
import { PeopleProblem } from '../errors.ts';
import type { LoggedIn } from './begin-session.ts';
import { letIn, readBrowser } from './entrance.ts';
import { logIn, type LogInDeps, type LogInRequest } from './log-in.ts';

/** @throws PeopleProblem as `logIn` */
export async function logInFrom(
  people: LogInDeps & Pick<AccessDeps, 'cookies'>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { email, password }: Pick<LogInRequest, 'email' | 'password'>,
): Promise<LoggedIn> {
  try {
    const loggedIn = await logIn(people, {
      email,
      password,
      address: readClientAddress(request),
      browser: readBrowser(people, request),
      oldSecret: people.cookies.readSession(request),
    });
    letIn(people, reply, loggedIn);
    return loggedIn;
  } catch (error) {
    // A form is shown again with the refusal: its answer says when to come again, as that of a program does.
    if (error instanceof PeopleProblem) void reply.headers(error.headers);
    throw error;
  }
}
