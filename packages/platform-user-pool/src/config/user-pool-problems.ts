import type { Problem } from '@signalbox/codec'
import { isObject, type UncheckedObject } from '@signalbox/platform-runtime/config'
import { sourcesOf } from '@signalbox/user-pool/contract'
import { standardAttributes, verifications } from '../standard-attributes.ts'
import { identityScopes, ownScope, registrationScope } from './client-config.ts'
import { triggerProblems } from './trigger-problems.ts'
/** Returns the problems of a pool that its table does not find. */
export function userPoolProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
): readonly Problem[] {
  return [
    ...triggerProblems(part, pointer, functions),
    ...requiredProblems(part, pointer),
    ...attributeProblems(part.immutable, `${pointer}/immutable`, part.custom),
    ...agentProblems(part, pointer),
    ...migrationProblems(part, pointer),
  ]
}

/** Returns the problems of a pool to which users move from another one. */
function migrationProblems(
  { migrateFrom, triggers, clients, signUp }: UncheckedObject,
  pointer: string,
): readonly Problem[] {
  if (!isObject(migrateFrom)) return []
  const at = `${pointer}/migrateFrom`
  const map = isObject(triggers) ? triggers : {}
  const names = Array.isArray(map.routes) ? map.routes : Object.keys(map)
  const isTwice = names.some(name =>
    sourcesOf(String(name)).some(source => source.startsWith('UserMigration')),
  )
  const looksAtSignUps = names.some(name => sourcesOf(String(name)).includes('PreSignUp_SignUp'))
  const all = isObject(clients) ? Object.values(clients) : []
  return [
    ...(isTwice
      ? [
          {
            pointer: at,
            expected: 'no trigger UserMigration beside it, because users can come from one place only',
            actual: 'both',
          },
        ]
      : []),
    ...(signUp === false || looksAtSignUps
      ? []
      : [
          {
            pointer: at,
            expected:
              'signUp: false beside it, or a trigger PreSignUp that refuses those whom the other pool has, because others could take their names first',
            actual: 'neither',
          },
        ]),
    ...(all.some(sendsPasswords)
      ? []
      : [
          {
            pointer: at,
            expected:
              'a client that sends passwords: by the flow password, admin or choice, or with callbacks',
            actual: 'none',
          },
        ]),
  ]
}

function sendsPasswords(client: unknown): boolean {
  if (!isObject(client)) return false
  const { flows, callbacks, grants } = client
  const isSent = ['password', 'admin', 'choice'].some(flow => Array.isArray(flows) && flows.includes(flow))
  const isDevice = Array.isArray(grants) && grants.includes('device_code')
  return isSent || isDevice || (Array.isArray(callbacks) && callbacks.length > 0)
}

/** Returns the problems in what a pool says about programs that are not configured. */
function agentProblems(part: UncheckedObject, pointer: string): readonly Problem[] {
  const { clientDocuments, registration, clients } = part
  const known = isObject(clients) ? clients : {}
  const policies = isObject(clientDocuments) ? Object.entries(clientDocuments) : []
  const wrongClients = policies.flatMap(([name, policy]) => {
    if (!isObject(policy) || typeof policy.client !== 'string') return []
    const at = `${pointer}/clientDocuments/${name}/client`
    const client = Object.hasOwn(known, policy.client) ? known[policy.client] : undefined
    if (!isObject(client))
      return [
        { pointer: at, expected: 'the name of a client of the pool', actual: JSON.stringify(policy.client) },
      ]
    return client.secret
      ? [{ pointer: at, expected: 'a client without a secret', actual: 'one with a secret' }]
      : []
  })
  const scopes = isObject(registration) ? registration.scopes : undefined
  return [...wrongClients, ...unknownEntries(scopes, knownScopes(part), `${pointer}/registration/scopes`)]
}

/** Returns the scopes that clients of a pool can have. */
function knownScopes({ resourceServers }: UncheckedObject): readonly string[] {
  const servers = isObject(resourceServers) ? Object.entries(resourceServers) : []
  return [
    ...identityScopes,
    ownScope,
    ...servers.flatMap(([identifier, server]) =>
      isObject(server) && isObject(server.scopes)
        ? Object.keys(server.scopes).map(scope => `${server.identifier ?? identifier}/${scope}`)
        : [],
    ),
  ]
}

/** Returns the problems of a client that its table does not find. */
export function clientProblems(
  client: UncheckedObject,
  pointer: string,
  pool: UncheckedObject,
): readonly Problem[] {
  return [
    ...oauthProblems(pool, client, pointer),
    ...attributeProblems(client.read, `${pointer}/read`, pool.custom),
    ...attributeProblems(client.write, `${pointer}/write`, pool.custom),
  ]
}

/** Returns the problems in a client's settings for the hosted pages and the token endpoint. */
function oauthProblems(
  pool: UncheckedObject,
  { scopes, providers, grants, secret }: UncheckedObject,
  pointer: string,
): readonly Problem[] {
  const { identityProviders, registration } = pool
  const known = [...knownScopes(pool), ...(registration === undefined ? [] : [registrationScope])]
  const knownProviders = isObject(identityProviders) ? Object.keys(identityProviders) : []
  const needsSecret = Array.isArray(grants) && grants.includes('client_credentials') && !secret
  return [
    ...unknownEntries(scopes, known, `${pointer}/scopes`),
    ...unknownEntries(providers, knownProviders, `${pointer}/providers`),
    ...(needsSecret
      ? [
          {
            pointer: `${pointer}/secret`,
            expected: 'true or a secret, for client_credentials',
            actual: 'none',
          },
        ]
      : []),
  ]
}

function unknownEntries(list: unknown, known: readonly string[], pointer: string): readonly Problem[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((each, at) =>
    known.includes(each)
      ? []
      : [
          {
            pointer: `${pointer}/${at}`,
            expected: `one of ${known.join(', ')}`,
            actual: JSON.stringify(each),
          },
        ],
  )
}

function requiredProblems({ required, custom }: UncheckedObject, pointer: string): readonly Problem[] {
  if (!Array.isArray(required)) return []
  return required.flatMap((name, at) => {
    if (typeof name !== 'string' || standardAttributes.includes(name)) return []
    const isCustom =
      typeof custom === 'object' && custom !== null && Object.hasOwn(custom, name.replace(/^custom:/, ''))
    const expected = isCustom
      ? 'a standard attribute: custom ones cannot be required'
      : `a standard attribute: one of ${standardAttributes.join(', ')}`
    return [{ pointer: `${pointer}/required/${at}`, expected, actual: JSON.stringify(name) }]
  })
}

/** Returns the problems with a list of full attribute names, such as `email` and `custom:tenant`. */
function attributeProblems(names: unknown, pointer: string, custom: unknown): readonly Problem[] {
  if (!Array.isArray(names)) return []
  const known = [
    ...standardAttributes,
    ...verifications,
    ...Object.keys(typeof custom === 'object' && custom !== null ? custom : {}).map(name => `custom:${name}`),
  ]
  return names.flatMap((name, at) =>
    typeof name !== 'string' || known.includes(name)
      ? []
      : [
          {
            pointer: `${pointer}/${at}`,
            expected: `an attribute of the pool: one of ${known.join(', ')}`,
            actual: JSON.stringify(name),
          },
        ],
  )
}

/** Returns a problem for each repeated value of a field by which pools or clients are looked up. */
export function sharedIds(
  ids: readonly { readonly id: string; readonly pointer: string; readonly what: string }[],
  field: 'id' | 'domain',
): readonly Problem[] {
  const seen = new Map<string, string>()
  return ids.flatMap(({ id, pointer, what }) => {
    const first = seen.get(id)
    seen.set(id, first ?? what)
    if (first === undefined) return []
    return [
      {
        pointer: `${pointer}/${field}`,
        expected: `${field === 'id' ? 'an id' : 'a domain'} of its own, since ${first} has this one`,
        actual: id,
      },
    ]
  })
}
