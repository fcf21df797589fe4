// The conversation with the provider of single sign-on (OpenID Connect Core 1.0, code flow with PKCE), by
// openid-client. Nothing is stored here but what the provider says about itself, for a while.
import type { Clock } from '@lothub/kit/clock';
import {
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  None,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { ClientAuth, ServerMetadata, CustomFetch } from 'openid-client';
import { mergeClaims, type Claims } from './claims.ts';
import { SignOnProblem } from './problems.ts';
import { problemOfProvider } from './provider-failures.ts';
import type { SignOnSettings } from './settings.ts';
import { readAnswer } from '@lothub/kit/http/answer-body';

/** For each request with its whole answer; a log-in makes up to four. */
export const PROVIDER_TIMEOUT_SECONDS = 5;
/** The largest are lists of keys with certificates: 20 of them have some 100 kB. */
export const PROVIDER_ANSWER_BYTES_MAX = 262_144;

/** RFC 9110, section 6.4.1: of these no answer has a body, and `Response` takes none. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Reads the answer whole, so that the time limit of the request holds for its body as well.
 * @throws AnswerTooLarge; what `fetch` throws
 */
export const fetchFromProvider: CustomFetch = async (url, { method, headers, body, signal }) => {
  const answer = await fetch(url, {
    method,
    headers,
    // The requests of a log-in are forms or have no body at all.
    ...(body instanceof URLSearchParams ? { body } : {}),
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
  });
  const bytes = new Uint8Array(await readAnswer(answer, PROVIDER_ANSWER_BYTES_MAX));
  return new Response(WITHOUT_BODY.has(answer.status) ? null : bytes, {
    status: answer.status,
    headers: answer.headers,
  });
};

/** By how much the clocks of the provider and of this service may differ. */
export const CLOCK_TOLERANCE_SECONDS = 60;
/** How long the provider's metadata are cached. */
export const DESCRIPTION_LIFE_MS = 10 * 60 * 1_000;

/** A log-in under way: the secrets are kept here until the browser is back. */
export interface BegunSignOn {
  /** Where the browser goes. */
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636): the code is of use only with it. */
  readonly verifier: string;
}

export class IdentityProvider {
  readonly #settings: SignOnSettings;
  readonly #clock: Clock;
  #described: { readonly metadata: ServerMetadata; readonly readAt: number } | undefined;
  /** One request for it at a time, however many people wait. */
  #describing: Promise<ServerMetadata> | undefined;

  constructor(options: { readonly settings: SignOnSettings; readonly clock: Clock }) {
    this.#settings = options.settings;
    this.#clock = options.clock;
  }

  /** @throws SignOnProblem `sign_on_unavailable`, `sign_on_failed` */
  async begin({ backTo }: { readonly backTo: string }): Promise<BegunSignOn> {
    const configuration = this.#configure(await this.#describe());
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: backTo,
      scope: this.#settings.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, state, nonce, verifier };
  }

  /**
   * What the provider says of the person. Its keys are read for each log-in: a key that was taken out of
   * service is refused, and a new one is accepted, at once.
   * @param answer the address that the browser came back to, with its parameters
   * @throws SignOnProblem `sign_on_refused`, `sign_on_expired`, `sign_on_unavailable`, `sign_on_failed`
   */
  async finish(
    answer: URL,
    begun: Pick<BegunSignOn, 'state' | 'nonce' | 'verifier'>,
  ): Promise<Claims> {
    const configuration = this.#configure(await this.#describe());
    try {
      const tokens = await authorizationCodeGrant(configuration, answer, {
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (idToken === undefined) throw new Error('an answer without an ID token was accepted');
      this.#checkIssuedAt(idToken.iat);
      const isOffered = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo = isOffered
        ? await fetchUserInfo(configuration, tokens.access_token, idToken.sub)
        : undefined;
      return mergeClaims({ idToken, userInfo });
    } catch (error) {
      // Whatever has changed at the provider, the next log-in begins with a new look.
      this.#described = undefined;
      throw problemOfProvider(error);
    }
  }

  /**
   * Where a browser ends its session at the provider (OpenID Connect RP-Initiated Logout 1.0). The provider
   * asks the person first: the ID token, which would spare that, is not kept.
   * @returns undefined when it offers none
   * @throws SignOnProblem `sign_on_unavailable`, `sign_on_failed`
   */
  async logOutUrl({ backTo }: { readonly backTo: string }): Promise<string | undefined> {
    const metadata = await this.#describe();
    if (metadata.end_session_endpoint === undefined) return undefined;
    return buildEndSessionUrl(this.#configure(metadata), { post_logout_redirect_uri: backTo }).href;
  }

  /** A configuration of its own for each conversation: openid-client keeps keys as long as one lives. */
  #configure(metadata: ServerMetadata): Configuration {
    const { clientId, clientSecret } = this.#settings;
    const configuration = new Configuration(
      metadata,
      clientId,
      {
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        [clockSkew]: (this.#clock.nowMs() - Date.now()) / 1_000,
        [clockTolerance]: CLOCK_TOLERANCE_SECONDS,
      },
      this.#authentication(metadata),
    );
    configuration[customFetch] = fetchFromProvider;
    configuration.timeout = PROVIDER_TIMEOUT_SECONDS;
    enableNonRepudiationChecks(configuration);
    if (this.#isPlainHttp) allowInsecureRequests(configuration);
    return configuration;
  }

  /** OpenID Connect Discovery 1.0, section 3: `client_secret_basic` where the provider does not say. */
  #authentication({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): ClientAuth {
    const { clientSecret } = this.#settings;
    if (clientSecret === undefined) return None();
    return methods === undefined || methods.includes('client_secret_basic')
      ? ClientSecretBasic(clientSecret)
      : ClientSecretPost(clientSecret);
  }

  get #isPlainHttp(): boolean {
    return this.#settings.issuer.startsWith('http:');
  }

  async #describe(): Promise<ServerMetadata> {
    const known = this.#described;
    const age = this.#clock.nowMs() - (known?.readAt ?? 0);
    if (known !== undefined && age >= 0 && age < DESCRIPTION_LIFE_MS) return known.metadata;
    this.#describing ??= this.#readDescription().finally(() => {
      this.#describing = undefined;
    });
    return await this.#describing;
  }

  /** The issuer in it is compared with the one of the settings by `discovery`. */
  async #readDescription(): Promise<ServerMetadata> {
    const { issuer, clientId } = this.#settings;
    try {
      const found = await discovery(new URL(issuer), clientId, undefined, None(), {
        [customFetch]: fetchFromProvider,
        timeout: PROVIDER_TIMEOUT_SECONDS,
        ...(this.#isPlainHttp ? { execute: [allowInsecureRequests] } : {}),
      });
      const metadata = found.serverMetadata();
      this.#described = { metadata, readAt: this.#clock.nowMs() };
      return metadata;
    } catch (error) {
      throw problemOfProvider(error);
    }
  }

  /** openid-client compares the end of an ID token; a beginning in the future shows a wrong clock too. */
  #checkIssuedAt(issuedAt: number): void {
    const ahead = issuedAt - this.#clock.nowMs() / 1_000;
    if (ahead > CLOCK_TOLERANCE_SECONDS) throw new SignOnProblem('clocks_differ');
  }
}
