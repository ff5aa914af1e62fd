import { isObject } from '@signalbox/codec'
import { unknownName } from '@signalbox/platform-runtime'
import { readOperatorKey } from '@signalbox/platform-runtime/access'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { sendToOwn } from '@signalbox/platform-runtime/listener'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { readHolder } from '@signalbox/platform-runtime/storage'
import { signingService } from '../api/listener/administrators.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import { type ListenerSettings, userPoolsPart } from '../config/user-pools-part.ts'

/** The user pools of a running platform. */
export interface RunningPools {
  readonly pools: readonly PoolSettings[]
  readonly url: string
  /**
   * Calls an operation of the running platform.
   * @throws Error with the pool's error message, and the type of the error as its name
   */
  readonly call: (operation: string, input: object) => Promise<{ readonly [name: string]: unknown }>
}

/** Returns the user pools of a configuration. */
export async function configuredPools(
  terminal: CommandContext,
  config: string | undefined,
): Promise<readonly PoolSettings[]> {
  const { settings } = await terminal.project(config)
  return settings.of(userPoolsPart)?.pools ?? []
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
  const { pools = [], listener } = settings.of(userPoolsPart) ?? {}
  if (listener === undefined) throw new Error('This configuration has no user pools. Give it `userPools`.')
  const url = settings.dataDir === undefined ? undefined : readHolder(settings.dataDir)?.urls.userPools
  if (url === undefined) throw new Error('The platform is not running. Start it with `signalbox dev`.')
  const keyed = { ...listener, admin: listener.admin ?? readOperatorKey(settings.dataDir!) }
  return { pools, url, call: (operation, input) => post(url, keyed, operation, input) }
}

/**
 * Returns the pool with this name.
 * @throws Error for an unknown name; the error suggests the most similar known name
 */
export function poolNamed(pools: readonly PoolSettings[], name: string): PoolSettings {
  const found = pools.find(each => each.name === name || each.id === name)
  if (found !== undefined) return found
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
