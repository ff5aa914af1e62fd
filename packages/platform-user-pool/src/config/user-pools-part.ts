import type { Location, SourceConfig } from '@signalbox/platform-runtime'
import type { ResourceRights } from '@signalbox/platform-runtime/access'
import {
  certificateProblems,
  clientsOf,
  insideProblems,
  isObject,
  listenerAt,
  pointerTo,
  readSecret,
  readTlsFiles,
  secretProblems,
  type TlsFiles,
  type UncheckedObject,
  type ValuesOf,
  valuesOf,
} from '@signalbox/platform-runtime/config'
import type { AccessKey } from '@signalbox/platform-runtime/signature'
import { logoProblems, readLogo } from './pages-config.ts'
import { poolSettings } from './pool-defaults.ts'
import { clientId, poolId } from './pool-ids.ts'
import { leakedPasswordsProblems, readLeakedPasswords } from './takeover-config.ts'
import {
  listenerFields,
  type UserPoolConfig,
  type UserPoolListenerConfig,
  type UserPoolsConfig,
  userPoolsFields,
} from './user-pool-config.ts'
import { clientProblems, sharedIds, userPoolProblems } from './user-pool-problems.ts'
import type { PoolSettings } from './user-pool-settings.ts'

/** The settings of all user pools, with defaults filled in. */
export interface UserPoolsSettings {
  readonly pools: readonly PoolSettings[]
  readonly listener: ListenerSettings
  readonly location: Location
}

export interface ListenerSettings extends Omit<ValuesOf<typeof listenerFields>, 'tls' | 'admin'> {
  readonly tls: TlsFiles | undefined
  /** The administrators' access key. Undefined means that administrators need no key, and without `open` must be on this machine. */
  readonly admin: AccessKey | undefined
}

/**
 * The rights to user pools. A right can name the id of a pool that does not exist yet, because clients can create
 * pools.
 */
export const poolRights: ResourceRights = { collection: 'userPools', names: ['administer'] }

/** The keys `userPools` and `userPoolListener` of a configuration. */
export const userPoolsPart: SourceConfig<UserPoolsSettings> = {
  name: 'user-pool',
  fields: userPoolsFields,
  problems: (config, functions) => {
    const { userPools, userPoolListener, region, access } = config
    const check = (part: UncheckedObject, pointer: string) => userPoolProblems(part, pointer, functions)
    return [
      ...insideProblems(userPoolsFields, 'userPools', config, check, { clients: clientProblems }),
      ...insideProblems(userPoolsFields, 'userPoolListener', config),
      ...secondKeyProblems(userPoolListener, access),
      ...(isObject(userPools) ? idProblems(userPools, { region: String(region ?? ''), account: '' }) : []),
    ]
  },
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
      ...Object.entries(userPools).flatMap(([name, { migrateFrom: { clientSecret } = {} }]) =>
        clientSecret === undefined
          ? []
          : secretProblems(clientSecret, pointerTo('userPools', name, 'migrateFrom', 'clientSecret'), root),
      ),
      ...Object.entries(userPools).flatMap(([name, { pages: { logo } = {} }]) =>
        logo === undefined ? [] : logoProblems(logo, pointerTo('userPools', name, 'pages', 'logo'), root),
      ),
      ...Object.entries(userPools).flatMap(([name, { takeover: { leaked } = {} }]) =>
        leaked === undefined
          ? []
          : leakedPasswordsProblems(leaked, pointerTo('userPools', name, 'takeover', 'leaked'), root),
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
      listenerFields.port.default,
      config.userPoolListener ?? (isObject(config.userPools) ? {} : undefined),
      // Users authenticate themselves. Administrators need `access` or a key here.
      isObject(config.userPoolListener) && config.userPoolListener.admin !== undefined
        ? 'authenticated'
        : clientsOf(config),
    ),
  clients: ({ userPools }) =>
    isObject(userPools)
      ? Object.fromEntries(
          Object.entries(userPools).map(([name, pool]) => [
            name,
            isObject(pool) && isObject(pool.clients) ? Object.keys(pool.clients) : [],
          ]),
        )
      : {},
  standsAlone: ({ userPools }) => userPools !== undefined,
  settings: (config, _functions, root, location) => {
    const { userPools = {}, userPoolListener } = config as UserPoolsConfig
    const pools = Object.entries(userPools).map(([name, each]) =>
      poolSettings(
        name,
        each,
        location,
        secret => readSecret(secret, root),
        file => readLeakedPasswords(file, root),
        file => readLogo(file, root),
      ),
    )
    if ((config as UserPoolsConfig).userPools === undefined) return undefined
    return {
      pools,
      listener: listenerSettings(userPoolListener, root),
      location,
    }
  },
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

function listenerSettings(config: UserPoolListenerConfig = {}, root: string): ListenerSettings {
  const { tls, admin, ...values } = valuesOf(listenerFields, config)
  return {
    ...values,
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
