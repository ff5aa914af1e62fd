import type { Demand } from '@signalbox/platform-runtime/access'
import type * as t from 'io-ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { Engine } from '../../engine.ts'
import { readInput } from '../wire/inputs.ts'
import { poolResource } from './pool-rights.ts'

export interface Operation {
  /**
   * Whether the operation is administrative. Administrative operations need AWS credentials, and web pages cannot call
   * them.
   */
  readonly isAdmin: boolean
  /** Returns the rights that a caller needs for this input. The input is not validated yet. */
  readonly demands: (engine: Engine, input: object) => readonly Demand[]
  readonly run: (
    engine: Engine,
    input: object,
    sdk: string,
    mayKnow?: (pool: PoolSettings) => boolean,
  ) => Promise<object>
}

/** Operations by name. */
export type Operations = { readonly [name: string]: Operation }

type Run<A> = (
  engine: Engine,
  input: A,
  sdk: string,
  /** Returns whether the caller may know that a pool exists. */
  mayKnow: (pool: PoolSettings) => boolean,
) => Promise<object>

/** The input fields that can identify an operation's resource. Their values are not validated yet. */
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
 * @param poolOf returns the id of the pool that the input names. When it returns undefined, the operation needs the
 * right to all pools. Default: the field `UserPoolId`. Use `none` for an operation that shows only what its caller may
 * know.
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
