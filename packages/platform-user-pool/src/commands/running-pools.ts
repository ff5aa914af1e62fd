import { isObject } from '@signalbox/codec'
import { unknownName } from '@signalbox/platform-runtime'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { readHolder } from '@signalbox/platform-runtime/storage'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import { userPoolsPart } from '../config/user-pools-part.ts'

/** The user pools of a running platform. */
export interface RunningPools {
  readonly pools: readonly PoolSettings[]
  readonly url: string
  /** @throws Error that says what the pool says */
  readonly call: (operation: string, input: object) => Promise<{ readonly [name: string]: unknown }>
}

/**
 * The user pools of a configuration, through the running platform.
 * @throws Error when none is
 */
export async function runningPools(
  terminal: CommandContext,
  config: string | undefined,
): Promise<RunningPools> {
  const { settings } = await terminal.project(config)
  const pools = settings.of(userPoolsPart)?.pools ?? []
  if (pools.length === 0) throw new Error('This configuration has no user pools. Give it `userPools`.')
  const url = settings.dataDir === undefined ? undefined : readHolder(settings.dataDir)?.urls.userPools
  if (url === undefined) throw new Error('The platform is not running. Start it with `signalbox dev`.')
  return { pools, url, call: (operation, input) => post(url, operation, input) }
}

/** The pool that a command names. @throws Error that names the nearest, when there is none of this name */
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

async function post(url: string, operation: string, input: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      'user-agent': 'signalbox/1',
    },
    body: JSON.stringify(input),
  }).catch(error => {
    throw new Error('The platform is not running. Start it with `signalbox dev`.', { cause: error })
  })
  const answer: unknown = await response.json()
  if (response.ok && isObject(answer)) return answer
  throw new Error(isObject(answer) ? String(answer.message) : `The platform answered ${response.status}.`)
}
