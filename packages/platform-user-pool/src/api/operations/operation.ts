import type { Demand } from '@signalbox/platform-runtime/access'
import type * as t from 'io-ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { Engine } from '../../engine.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { readInput } from '../wire/inputs.ts'
import { poolResource } from './pool-resource.ts'

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
    address?: string,
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
  /** The network address of the caller. Undefined for a caller without a connection. */
  address: string | undefined,
) => Promise<object>

/** The input fields that can identify an operation's resource. Their values are not validated yet. */
interface ResourceInput {
  readonly UserPoolId?: unknown
  readonly ResourceArn?: unknown
  readonly Domain?: unknown
}

/** Returns the demands for other resources that a valid input refers to. */
type References<A> = (engine: Engine, input: A) => readonly Demand[]

const everyPool = () => true

/** Defines an operation that clients call without credentials. */
export function open<A>(codec: t.Type<A, unknown, unknown>, run: Run<A>): Operation {
  return {
    isAdmin: false,
    demands: () => [],
    run: (engine, input, sdk, _mayKnow, address) =>
      run(engine, readInput(codec, input), sdk, everyPool, address),
  }
}

/**
 * Defines an operation that needs credentials.
 * @param poolOf returns the id of the pool that the input names. When it returns undefined, the operation needs the
 * right to all pools. Default: the field `UserPoolId`. Use `none` for an operation that shows only what its caller may
 * know.
 * @param references returns the rights over other resources that the input refers to, such as functions
 */
export function admin<A>(
  codec: t.Type<A, unknown, unknown>,
  run: Run<A>,
  poolOf: 'none' | ((engine: Engine, input: ResourceInput) => unknown) = (_engine, { UserPoolId }) =>
    UserPoolId,
  references: References<A> = () => [],
): Operation {
  return {
    isAdmin: true,
    demands(engine, input) {
      if (poolOf === 'none') return []
      const id = poolOf(engine, input)
      const resource = typeof id === 'string' ? poolResource(engine, id) : '*'
      return [{ rights: ['administer'], resource }, ...referencesOf(engine, input)]
    },
    run: (engine, input, sdk, mayKnow = everyPool, address) =>
      run(engine, readInput(codec, input), sdk, mayKnow, address),
  }

  function referencesOf(engine: Engine, input: object): readonly Demand[] {
    try {
      return references(engine, readInput(codec, input))
    } catch (error) {
      // `run` refuses an invalid input.
      if (error instanceof UserPoolError) return []
      throw error
    }
  }
}
