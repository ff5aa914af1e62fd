import type { Demand } from '@signalbox/platform-runtime/access'
import type * as t from 'io-ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { Engine } from '../engine.ts'
import { readInput } from './inputs.ts'
import { poolResource } from './pool-rights.ts'

export interface Operation {
  /** Whether it is for administrators. Such an operation needs credentials, and no web page may call it. */
  readonly isAdmin: boolean
  /** Returns the rights that an administrative operation needs for an unchecked input. */
  readonly demands: (engine: Engine, input: object) => readonly Demand[]
  readonly run: (
    engine: Engine,
    input: object,
    sdk: string,
    mayKnow?: (pool: PoolSettings) => boolean,
  ) => Promise<object>
}

/** The operations of a group by name. */
export type Operations = { readonly [name: string]: Operation }

type Run<A> = (
  engine: Engine,
  input: A,
  sdk: string,
  /** Returns whether the caller may know that a pool exists. */
  mayKnow: (pool: PoolSettings) => boolean,
) => Promise<object>

/** The fields that name the resource of an operation, which may have any value. */
interface ResourceInput {
  readonly UserPoolId?: unknown
  readonly ResourceArn?: unknown
  readonly Domain?: unknown
}

const everyPool = () => true

/** Defines an operation that clients call without credentials. */
export function open<A>(codec: t.Type<A, unknown, unknown>, run: Run<A>): Operation {
  return {
    isAdmin: false,
    demands: () => [],
    run: (engine, input, sdk) => run(engine, readInput(codec, input), sdk, everyPool),
  }
}

/**
 * Defines an operation that needs credentials.
 * @param poolOf the id of the pool that the input names. Without one, the operation needs the right over all pools.
 * Default: the field `UserPoolId`. `none` is for an operation that shows only what its caller may know.
 */
export function admin<A>(
  codec: t.Type<A, unknown, unknown>,
  run: Run<A>,
  poolOf: 'none' | ((engine: Engine, input: ResourceInput) => unknown) = (_engine, { UserPoolId }) =>
    UserPoolId,
): Operation {
  return {
    isAdmin: true,
    demands(engine, input) {
      if (poolOf === 'none') return []
      const id = poolOf(engine, input)
      return [{ rights: ['administer'], resource: typeof id === 'string' ? poolResource(engine, id) : '*' }]
    },
    run: (engine, input, sdk, mayKnow = everyPool) => run(engine, readInput(codec, input), sdk, mayKnow),
  }
}
