import type { IncomingMessage } from 'node:http'
import { executionOperations } from './execution-operations.ts'
import { functionOperations } from './function-operations.ts'
import { InvokeError } from './invoke-error.ts'
import { mappingOperations } from './mapping-operations.ts'
import type { Operation } from './operation.ts'

/** An operation that a request names, and what it is about. */
export interface NamedOperation {
  readonly operation: Operation
  readonly subject: string
  readonly query: URLSearchParams
}

/**
 * Returns the operation that a request names, other than Invoke.
 * @param hasExecutions whether there are durable functions
 * @throws InvokeError for a path that does not decode
 */
export function namedOperation(
  { method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  hasExecutions: boolean,
): NamedOperation | undefined {
  const [path = '', query = ''] = url.split('?', 2)
  const always = [...functionOperations, ...mappingOperations]
  const operations = hasExecutions ? [...always, ...executionOperations] : always
  for (const operation of operations) {
    const subject = operation.path.exec(path.replace(/\/$/, ''))?.[1]
    if (subject === undefined || operation.method !== method) continue
    try {
      return { operation, subject: decodeURIComponent(subject), query: new URLSearchParams(query) }
    } catch {
      throw new InvokeError('InvalidParameterValueException', 'The path is not percent-encoded correctly.')
    }
  }
  return undefined
}
