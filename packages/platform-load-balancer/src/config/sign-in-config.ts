import {
  type ConfigOf,
  isLoopback,
  isObject,
  listOf,
  matching,
  nonEmptyText,
  optional,
  required,
  secretText,
  textLike,
  wholeSeconds,
} from '@signalbox/platform-runtime/config'

/** The longest session and the longest stickiness, in seconds: seven days. */
export const longestSeconds = 604_800

const providerUrl = matching<string>(
  'an https URL, or one of http on this machine, without a query and a fragment',
  value =>
    typeof value === 'string' &&
    /^https?:\/\/[\x21-\x7e]+$/.test(value) &&
    !/[?#@]/.test(value) &&
    URL.canParse(value) &&
    (value.startsWith('https:') || isLoopback(value)),
)

/** Parameters of an authorization request that the load balancer sets itself. */
const ownParameters = new Set([
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
])

function isParameters(value: unknown): boolean {
  if (!isObject(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length <= 10 &&
    entries.every(
      ([name, text]) => /^\w{1,128}$/.test(name) && !ownParameters.has(name) && typeof text === 'string',
    )
  )
}

export const authenticateFields = {
  /** The user pool of this configuration that signs users in. */
  pool: optional(nonEmptyText),
  /** The client of the pool, by its name. */
  client: optional(nonEmptyText),
  /** The issuer of another OpenID Connect provider, instead of `pool`. */
  issuer: optional(providerUrl),
  /** The id of the load balancer's client at the provider. */
  clientId: optional(nonEmptyText),
  /** The secret of this client, or the environment variable or file that contains it. Without it, the client is public. */
  clientSecret: optional(secretText),
  /** Where browsers sign in. Default, with the other endpoints: that of the issuer's discovery document. */
  authorizationEndpoint: optional(providerUrl),
  /** Where the load balancer gets tokens. */
  tokenEndpoint: optional(providerUrl),
  /** Where the load balancer gets the claims about a user. Without it, they are those of the identity token. */
  userInfoEndpoint: optional(providerUrl),
  /** The scopes to ask for, with `openid` among them. Default `openid`. */
  scope: optional(
    textLike('scopes with openid among them, separated by spaces', /^(?=(?:.* )?openid(?: |$))[\x20-\x7e]+$/),
    'openid',
  ),
  /** The name of the session's cookies, which get `-0` to `-3` at the end. Default `AWSELBAuthSessionCookie`. */
  sessionCookie: optional(
    textLike('the name of a cookie, of at most 60 characters', /^[\w!#$%&'*+.^`|~-]{1,60}$/),
    'AWSELBAuthSessionCookie',
  ),
  /** Seconds after which users sign in again, from 1 to 604800. Default 604800, which is seven days. */
  sessionTimeout: optional(wholeSeconds(1, longestSeconds), longestSeconds),
  /**
   * What happens to a request without a session: its browser signs in (`authenticate`), the request goes on without a
   * user (`allow`), or the answer is 401 (`deny`). Default `authenticate`.
   */
  onUnauthenticatedRequest: optional(
    matching<'authenticate' | 'allow' | 'deny'>(
      'authenticate, allow or deny',
      value => value === 'authenticate' || value === 'allow' || value === 'deny',
    ),
    'authenticate',
  ),
  /** At most ten further parameters of the request that browsers take to the provider, such as `prompt`. */
  parameters: optional(
    matching<{ readonly [name: string]: string }>(
      'at most ten texts by the names of parameters that the load balancer does not set itself',
      isParameters,
    ),
    {},
  ),
}

/** How users sign in before a request goes on. */
export interface AuthenticateConfig extends ConfigOf<typeof authenticateFields> {}

export const tokenClaimFields = {
  /** The name of the claim. */
  name: required(
    textLike('a claim other than exp, iss, nbf and iat', /^(?!(?:exp|iss|nbf|iat)$)[\x21-\x7e]{1,256}$/),
  ),
  /** The form of the claim: a text, a list of texts, or a text with several values between spaces. Default `text`. */
  format: optional(
    matching<'text' | 'list' | 'words'>(
      'text, list or words',
      value => value === 'text' || value === 'list' || value === 'words',
    ),
    'text',
  ),
  /** One to ten values, of which the claim has to have one. Values for `words` have no spaces. */
  values: required(
    matching<readonly string[]>(
      'one to ten texts of at most 256 characters',
      value =>
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= 10 &&
        value.every(each => typeof each === 'string' && /^.{1,256}$/s.test(each)),
    ),
  ),
}

/** A claim that a token has to have. */
export interface TokenClaimConfig extends ConfigOf<typeof tokenClaimFields> {}

export const validateJwtFields = {
  /** The issuer that tokens have to have in `iss`. */
  issuer: required(textLike('a text of at most 256 characters', /^.{1,256}$/s)),
  /** The URL of the key set that verifies tokens. */
  keys: required(
    matching<string>(
      'an https URL, or one of http on this machine, of at most 256 characters',
      value => providerUrl.is(value) && value.length <= 256,
    ),
  ),
  /** At most ten claims that tokens have to have, besides `iss` and `exp`. Default: none. */
  claims: optional(listOf<TokenClaimConfig>(tokenClaimFields, 'a list of claims'), []),
}

/** The tokens that a request has to have one of. */
export interface ValidateJwtConfig extends ConfigOf<typeof validateJwtFields> {}

const expression = textLike('a regular expression of at most 1024 characters', /^.{1,1024}$/s)
const replacement = textLike('a text of at most 1024 printable characters', /^[\x20-\x7e]{0,1024}$/)

export const replacementFields = {
  /** A regular expression without lookaround and backreferences, in the syntax of RE2. */
  regex: required(expression),
  /** What replaces the first match. `$1` to `$9` stand for the groups of the expression, and `$$` for a dollar. */
  replace: required(replacement),
}

/** A regular expression, and what replaces its first match. */
export interface ReplacementConfig extends ConfigOf<typeof replacementFields> {}
