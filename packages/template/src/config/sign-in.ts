import type { Properties } from '../resources/properties.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'

/** The user pools of a template, whose clients load balancers use. */
export interface SignInPools {
  /**
   * Returns the names of a pool and of its client, for browsers that come back to a load balancer. Returns undefined when
   * they are not here.
   * @param port the port of the template
   */
  readonly clientFor: (
    poolArn: string | undefined,
    clientId: string | undefined,
    balancer: string,
    port: number,
  ) => { readonly pool: string; readonly client: string } | undefined
}

/** Returns the names of a pool and of its client, for one load balancer. */
type ClientFor = (
  poolArn: string | undefined,
  clientId: string | undefined,
) => { readonly pool: string; readonly client: string } | undefined

/** Returns what signs users in, or checks their tokens, before a request goes on. Undefined when that cannot run here. */
export function identityOf(
  action: Properties,
  type: string | undefined,
  clientFor: ClientFor,
): Part | undefined {
  if (type === 'authenticate-oidc') return providerSignIn(action.object('AuthenticateOidcConfig'))
  if (type === 'authenticate-cognito')
    return poolSignIn(action.object('AuthenticateCognitoConfig'), clientFor)
  if (type === 'jwt-validation') return tokenCheck(action.object('JwtValidationConfig'))
  return undefined
}

function providerSignIn(config: Properties | undefined): Part | undefined {
  const issuer = config?.text('Issuer')
  const clientId = config?.text('ClientId')
  if (config === undefined || issuer === undefined || clientId === undefined) return undefined
  return {
    authenticate: defined({
      ...{ issuer, clientId, clientSecret: config.text('ClientSecret') },
      authorizationEndpoint: config.text('AuthorizationEndpoint'),
      tokenEndpoint: config.text('TokenEndpoint'),
      userInfoEndpoint: config.text('UserInfoEndpoint'),
      ...sessionOf(config),
    }),
  }
}

function poolSignIn(config: Properties | undefined, clientFor: ClientFor): Part | undefined {
  const arn = config?.text('UserPoolArn')
  const clientId = config?.text('UserPoolClientId')
  config?.text('UserPoolDomain')
  const found = clientFor(arn, clientId)
  if (config === undefined || found === undefined) return undefined
  return { authenticate: defined({ ...found, ...sessionOf(config) }) }
}

/** Returns what both ways of sign-in have in common. */
function sessionOf(config: Properties): Part {
  const parameters = config.object('AuthenticationRequestExtraParams')?.entries() ?? []
  return {
    scope: config.text('Scope'),
    sessionCookie: config.text('SessionCookieName'),
    sessionTimeout: config.number('SessionTimeout'),
    onUnauthenticatedRequest: config.text('OnUnauthenticatedRequest'),
    parameters: parameters.length === 0 ? undefined : Object.fromEntries(parameters),
  }
}

const claimFormats: { readonly [format: string]: string } = {
  'single-string': 'text',
  'string-array': 'list',
  'space-separated-values': 'words',
}

function tokenCheck(config: Properties | undefined): Part | undefined {
  const issuer = config?.text('Issuer')
  const keys = config?.text('JwksEndpoint')
  if (config === undefined || issuer === undefined || keys === undefined) return undefined
  const declared = config.list('AdditionalClaims')
  // Without one of its claims, a check would let more tokens go on than in the cloud.
  const isKnown = declared.every(claim => ['Name', 'Format', 'Values'].every(claim.isWhole))
  if (!isKnown || !config.isWhole('AdditionalClaims')) return undefined
  const claims = declared.map(claim =>
    defined({
      name: claim.text('Name'),
      format: claimFormats[claim.text('Format') ?? ''] ?? claim.text('Format'),
      values: claim.texts('Values'),
    }),
  )
  return { validateJwt: defined({ issuer, keys, claims: claims.length === 0 ? undefined : claims }) }
}

const rewriteBlocks: { readonly [type: string]: readonly [block: string, key: 'host' | 'path'] } = {
  'host-header-rewrite': ['HostHeaderRewriteConfig', 'host'],
  'url-rewrite': ['UrlRewriteConfig', 'path'],
}

/** Returns the changes of host and path of a rule. What only the cloud knows is left out, with a warning. */
export function rewriteOf({ id, properties }: Resource, warnings: Warnings): Part | undefined {
  const transforms = properties.list('Transforms')
  const unknown = (what: string) =>
    warnings.missing(`${id} does not rewrite ${what} here, because only the cloud knows how.`)
  if (!properties.isWhole('Transforms')) unknown('requests')
  const found = transforms.flatMap(transform => {
    const type = transform.text('Type') ?? ''
    const [block, key] = rewriteBlocks[type] ?? []
    if (block === undefined || key === undefined) {
      if (type === '') unknown('requests')
      else warnings.missing(`${id} has no transform ${type} here.`)
      return []
    }
    const [rewrite] = transform.object(block)?.list('Rewrites') ?? []
    const regex = rewrite?.text('Regex')
    const replace = rewrite?.text('Replace')
    if (regex !== undefined && replace !== undefined) return [[key, { regex, replace }] as const]
    unknown(`the ${key}`)
    return []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
