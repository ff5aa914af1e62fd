import { isObject } from '@signalbox/codec'
import { unknownName } from '@signalbox/platform-runtime'
import { readOperatorKey } from '@signalbox/platform-runtime/access'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { sendToOwn } from '@signalbox/platform-runtime/listener'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { readHolder } from '@signalbox/platform-runtime/storage'
import { signingService } from '../api/listener/administrators.ts'
import type { ShownPool } from '../api/operations/extensions.ts'
import { type ListenerSettings, userPoolsPart } from '../config/user-pools-part.ts'

/** The user pools of a running platform. */
export interface RunningPools {
  /** The pools of the configuration that the platform runs, and those that the API has created. */
  readonly pools: readonly ShownPool[]
  readonly url: string
  /**
   * Calls an operation of the running platform.
   * @throws Error with the pool's error message, and the type of the error as its name
   */
  readonly call: (operation: string, input: object) => Promise<{ readonly [name: string]: unknown }>
}

/**
 * Connects to the user pools of a configuration through the running platform.
 * @throws Error when no platform is running
 */
export async function runningPools(
  terminal: CommandContext,
  config: string | undefined,
): Promise<RunningPools> {
  const { settings } = await terminal.project(config)
  const { listener } = settings.of(userPoolsPart) ?? {}
  if (listener === undefined) throw new Error('This configuration has no user pools. Give it `userPools`.')
  const url = settings.dataDir === undefined ? undefined : readHolder(settings.dataDir)?.urls.userPools
  if (url === undefined) throw new Error('The platform is not running. Start it with `signalbox dev`.')
  const keyed = { ...listener, admin: listener.admin ?? readOperatorKey(settings.dataDir!) }
  const call: RunningPools['call'] = (operation, input) => post(url, keyed, operation, input)
  const { Pools } = await call('ListPoolSettings', {})
  return { pools: Pools as readonly ShownPool[], url, call }
}

/**
 * Returns the pool with this id or name. Clients choose the names of the pools that they create, so that several pools
 * can have one name. The name of a configured pool means that pool.
 * @throws Error for an unknown name, which suggests the most similar known name, and for the name of several pools
 */
export function poolNamed({ pools }: RunningPools, name: string): ShownPool {
  const named = pools.filter(each => each.name === name)
  const found =
    pools.find(each => each.id === name) ??
    named.find(({ isConfigured }) => isConfigured) ??
    (named.length === 1 ? named[0] : undefined)
  if (found !== undefined) return found
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(', ')
    throw new Error(
      `There are ${named.length} user pools ${JSON.stringify(name)}. Name one by its id: ${ids}.`,
    )
  }
  throw new Error(
    unknownName(
      'user pool',
      name,
      pools.map(each => each.name),
    ),
  )
}

async function post(url: string, { admin, tls }: ListenerSettings, operation: string, input: object) {
  const body = Buffer.from(JSON.stringify(input))
  const { host } = new URL(url)
  const headers = {
    host,
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
  }
  const request = { method: 'POST', target: '/', headers: Object.entries(headers).flat(), body }
  const signature =
    admin && signatureHeaders(request, admin, { region: 'local', service: signingService, now: Date.now() })
  const sent = { ...headers, 'user-agent': 'signalbox/1', ...signature }
  const answer = await sendToOwn(url, sent, body, tls).catch(error => {
    throw new Error('The platform is not running. Start it with `signalbox dev`.', { cause: error })
  })
  const value: unknown = JSON.parse(answer.text)
  if (answer.status === 200 && isObject(value)) return value
  if (!isObject(value)) throw new Error(`The platform answered ${answer.status}.`)
  throw Object.assign(new Error(String(value.message)), { name: String(value.__type) })
}
