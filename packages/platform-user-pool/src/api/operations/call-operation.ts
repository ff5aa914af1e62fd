import type { Engine } from '../../engine.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { refusedOperations } from './refused-operations.ts'

/**
 * Returns the operation with this name.
 * @throws UserPoolError for an unknown name, and, with the reason, for an operation that user pools refuse
 */
export function operationOf(name: string): Operation {
  if (Object.hasOwn(operations, name)) return operations[name]!
  const reason = Object.hasOwn(refusedOperations, name) ? `: ${refusedOperations[name]}` : ''
  throw new UserPoolError('UnknownOperationException', `The operation ${name} is not supported${reason}.`)
}

/**
 * Calls an operation with the rights of an administrator, without a listener.
 * @throws UserPoolError when the pool refuses the request
 */
export async function callOperation(
  engine: Engine,
  name: string,
  input: object,
  sdk = 'signalbox',
): Promise<{ readonly [name: string]: unknown }> {
  return (await operationOf(name).run(engine, input, sdk)) as { readonly [name: string]: unknown }
}
