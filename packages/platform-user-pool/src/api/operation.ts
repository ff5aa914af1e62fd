import type * as t from 'io-ts'
import type { Engine } from '../engine.ts'
import { readInput } from './inputs.ts'

/** One operation of the API. */
export interface Operation {
  /** Whether it is for administrators. Such an operation needs credentials, and no web page may call it. */
  readonly isAdmin: boolean
  readonly run: (engine: Engine, input: object, sdk: string) => Promise<object>
}

/** The operations of a group by name. */
export type Operations = { readonly [name: string]: Operation }

type Run<A> = (engine: Engine, input: A, sdk: string) => Promise<object>

/** An operation that clients call, without credentials. */
export function open<A>(codec: t.Type<A, unknown, unknown>, run: Run<A>): Operation {
  return { isAdmin: false, run: (engine, input, sdk) => run(engine, readInput(codec, input), sdk) }
}

/** An operation that needs credentials. */
export function admin<A>(codec: t.Type<A, unknown, unknown>, run: Run<A>): Operation {
  return { isAdmin: true, run: (engine, input, sdk) => run(engine, readInput(codec, input), sdk) }
}
