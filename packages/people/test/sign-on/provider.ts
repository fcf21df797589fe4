// A real provider of OpenID Connect on a free port, with a person who is logged in at it as soon as a browser
// comes, and with faults that a test switches on.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import Provider from 'oidc-provider';
import { CLOCK_TOLERANCE_SECONDS } from '../../src/sign-on/identity-provider.ts';

export const CLIENT_ID = 'lothub';
export const CLIENT_SECRET = 'a-secret-of-the-client-0123456789';
export const BRAND_CLAIM = 'lothub_brands';
export const ROLE_CLAIM = 'lothub_role';
/** How long ID tokens are good, where a test has a clock that is wrong by more. */
export const ID_TOKEN_SECONDS = 120;
/**
 * In both directions: beyond what is good and tolerated, also where an answer takes long and its moment is rounded to
 * whole seconds.
 */
export const CLOCK_WRONG_SECONDS = ID_TOKEN_SECONDS + CLOCK_TOLERANCE_SECONDS + 1;

/** What the provider knows of somebody, as its claims. */
export type KnownPerson = Readonly<Record<string, unknown>>;

/** Answers a request in the provider's place; false: the provider answers. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** By subject; whoever is not in it was removed. */
  readonly people: Map<string, KnownPerson>;
  /** Who logs in with the next browser. */
  person: string;
  fault: Fault;
  /** Requests for each path so far. */
  readonly requests: Map<string, number>;
  /** From now on another key signs, and the old one is unknown. */
  rotateKey(): void;
  /** Refuses connections from now on. */
  goAway(): Promise<void>;
}

const NO_FAULT: Fault = () => false;
/** A path of ours: the log-in page of the provider. */
const INTERACTION = '/interaction/';

export interface TestProviderOptions {
  /** Where the client may be sent back to. */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  readonly backchannelLogoutUri?: string;
  readonly idTokenSeconds?: number;
  /** More of the provider's configuration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
}

export async function startProvider(options: TestProviderOptions): Promise<TestProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${getPort(server)}`;
  const people = new Map<string, KnownPerson>();
  let provider = newProvider(issuer, { ...options, people });
  const running: TestProvider = {
    issuer,
    people,
    person: '',
    fault: NO_FAULT,
    requests: new Map(),
    rotateKey: () => {
      provider = newProvider(issuer, { ...options, people });
    },
    goAway: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    running.requests.set(pathname, (running.requests.get(pathname) ?? 0) + 1);
    if (running.fault(request, response)) return;
    if (!pathname.startsWith(INTERACTION)) {
      provider.callback()(request, response);
      return;
    }
    const result = { login: { accountId: running.person } };
    provider.interactionFinished(request, response, result).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  return running;
}

/** What oidc-provider hands to its hooks, as far as it is used here. */
interface InteractionContext {
  readonly oidc: {
    readonly session: {
      readonly accountId: string;
      grantIdFor(clientId: string): string | undefined;
    };
  };
}

function newProvider(
  issuer: string,
  options: TestProviderOptions & { readonly people: ReadonlyMap<string, KnownPerson> },
): Provider {
  const { people } = options;
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: options.redirectUris,
        post_logout_redirect_uris: options.postLogoutRedirectUris ?? [],
        ...(options.backchannelLogoutUri === undefined
          ? {}
          : { backchannel_logout_uri: options.backchannelLogoutUri }),
      },
    ],
    jwks: { keys: [newKey()] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', BRAND_CLAIM, ROLE_CLAIM],
    },
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      Grant: 3_600,
      IdToken: options.idTokenSeconds ?? 300,
      Interaction: 600,
      Session: 3_600,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: options.backchannelLogoutUri !== undefined },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${INTERACTION}${uid}` },
    findAccount: (_context: unknown, subject: string) => {
      const claims = people.get(subject);
      if (claims === undefined) return undefined;
      return { accountId: subject, claims: async () => ({ sub: subject, ...claims }) };
    },
    // Nobody is asked whether the client may read the claims.
    loadExistingGrant: async ({ oidc: { session } }: InteractionContext) => {
      const { accountId } = session;
      const grantId = session.grantIdFor(CLIENT_ID);
      if (grantId !== undefined) return await provider.Grant.find(grantId);
      const grant = new provider.Grant({ accountId, clientId: CLIENT_ID });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ...options.configuration,
  });
  return provider;
}

function newKey(): Readonly<Record<string, unknown>> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const kid = randomBytes(8).toString('hex');
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
}

function getPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
