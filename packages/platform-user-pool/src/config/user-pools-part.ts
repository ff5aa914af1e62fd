import type { Location, SourceConfig } from '@signalbox/platform-runtime'
import {
  certificateProblems,
  clientsOf,
  defaultHost,
  isObject,
  type ListenerLimitsConfig,
  listenerAt,
  mapProblems,
  nestedProblems,
  object,
  optional,
  pointerTo,
  readSecret,
  readTlsFiles,
  secretProblems,
  type TlsFiles,
  tlsFields,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import type { AccessKey } from '@signalbox/platform-runtime/signature'
import { poolSettings } from './pool-defaults.ts'
import { clientId, poolId } from './pool-ids.ts'
import { poolRights } from './pool-rights.ts'
import type { UserPoolConfig, UserPoolListenerConfig, UserPoolsConfig } from './user-pool-config.ts'
import { adminKeyFields, listenerFields } from './user-pool-fields.ts'
import { sharedIds, userPoolProblems } from './user-pool-problems.ts'
import type { PoolSettings } from './user-pool-settings.ts'

/** The settings of all user pools, with defaults filled in. */
export interface UserPoolsSettings {
  readonly pools: readonly PoolSettings[]
  readonly listener: ListenerSettings
  readonly location: Location
}

export interface ListenerSettings {
  readonly port: number
  readonly host: string
  /** Whether everyone who reaches the listener is an administrator, unless administrators need a key. */
  readonly open: boolean
  readonly names: readonly string[]
  /** The issuer in tokens. Undefined means the listener's URL. */
  readonly issuer: string | undefined
  readonly tls: TlsFiles | undefined
  readonly limits?: ListenerLimitsConfig | undefined
  readonly privateProviderHosts: readonly string[]
  /** The administrators' access key. Undefined means that administrators need no key, and without `open` must be on this machine. */
  readonly admin: AccessKey | undefined
}

const defaultPort = 9331

/** The keys `userPools` and `userPoolListener` of a configuration. */
export const userPoolsPart: SourceConfig<UserPoolsSettings> = {
  name: 'user-pool',
  fields: { userPools: optional(object), userPoolListener: optional(object) },
  problems: ({ userPools, userPoolListener, region, access }, functions) => [
    ...mapProblems(userPools, '/userPools', (part, pointer) => userPoolProblems(part, pointer, functions)),
    ...nestedProblems({ userPoolListener }, 'userPoolListener', listenerFields, ''),
    ...listenerProblems(userPoolListener),
    ...secondKeyProblems(userPoolListener, access),
    ...(isObject(userPools) ? idProblems(userPools, { region: String(region ?? ''), account: '' }) : []),
  ],
  fileProblems: (config, root) => {
    const { userPools = {}, userPoolListener = {} } = config as UserPoolsConfig
    const { tls, admin } = userPoolListener
    return [
      ...Object.entries(userPools).flatMap(([name, { identityProviders = {} }]) =>
        Object.entries(identityProviders).flatMap(([provider, { clientSecret }]) =>
          clientSecret === undefined
            ? []
            : secretProblems(
                clientSecret,
                pointerTo('userPools', name, 'identityProviders', provider, 'clientSecret'),
                root,
              ),
        ),
      ),
      ...certificateProblems(tls, '/userPoolListener/tls', root),
      ...(admin === undefined
        ? []
        : secretProblems(admin.secretAccessKey, '/userPoolListener/admin/secretAccessKey', root)),
    ]
  },
  rights: [poolRights],
  listeners: config =>
    listenerAt(
      'userPoolListener',
      'the listener of the user pools',
      defaultPort,
      config.userPoolListener ?? (isObject(config.userPools) ? {} : undefined),
      // Users authenticate themselves. Administrators need `access` or a key here.
      isObject(config.userPoolListener) && config.userPoolListener.admin !== undefined
        ? 'authenticated'
        : clientsOf(config),
    ),
  standsAlone: ({ userPools }) => userPools !== undefined,
  settings: (config, _functions, root, location) => {
    const { userPools = {}, userPoolListener } = config as UserPoolsConfig
    const pools = Object.entries(userPools).map(([name, each]) =>
      poolSettings(name, each, location, secret => readSecret(secret, root)),
    )
    if ((config as UserPoolsConfig).userPools === undefined) return undefined
    return {
      pools,
      listener: listenerSettings(userPoolListener, root),
      location,
    }
  },
}

function listenerProblems(listener: unknown) {
  if (!isObject(listener)) return []
  return [
    ...nestedProblems(listener, 'tls', tlsFields, '/userPoolListener'),
    ...nestedProblems(listener, 'admin', adminKeyFields, '/userPoolListener'),
  ]
}

/**
 * Returns a problem if the configuration has both `admin` and `access`, because a key that is revoked in one place
 * could stay valid in the other.
 */
function secondKeyProblems(listener: unknown, access: unknown) {
  if (!isObject(listener) || listener.admin === undefined || access === undefined) return []
  const expected = 'no key beside `access`: give an identity the right to administer userPools'
  return [{ pointer: '/userPoolListener/admin', expected, actual: 'a key' }]
}

function listenerSettings(
  {
    port = defaultPort,
    host = defaultHost,
    open = false,
    names = [],
    limits,
    issuer,
    tls,
    admin,
    privateProviderHosts = [],
  }: UserPoolListenerConfig = {},
  root: string,
): ListenerSettings {
  return {
    port,
    host,
    open,
    names,
    limits,
    issuer,
    privateProviderHosts,
    tls: tls && readTlsFiles(tls, root),
    admin: admin && {
      accessKeyId: admin.accessKeyId,
      secretAccessKey: readSecret(admin.secretAccessKey, root),
    },
  }
}

function idProblems(userPools: UncheckedObject, location: Location) {
  const parts = Object.entries(userPools).filter((entry): entry is [string, UncheckedObject] =>
    isObject(entry[1]),
  )
  const pools = parts.map(([name, { id = poolId(name, location) }]) => ({
    id: String(id),
    pointer: pointerTo('userPools', name),
    what: `the pool ${name}`,
  }))
  const clients = parts.flatMap(([name, part], at) =>
    isObject(part.clients)
      ? Object.entries(part.clients as unknown as UserPoolConfig['clients']).map(([client, each]) => ({
          id: String(each?.id ?? clientId(pools[at]!.id, client)),
          pointer: pointerTo('userPools', name, 'clients', client),
          what: `the client ${client} of ${name}`,
        }))
      : [],
  )
  const domains = parts.flatMap(([name, { domain }]) =>
    typeof domain === 'string'
      ? [{ id: domain, pointer: pointerTo('userPools', name), what: `the pool ${name}` }]
      : [],
  )
  return [...sharedIds(pools, 'id'), ...sharedIds(clients, 'id'), ...sharedIds(domains, 'domain')]
}
