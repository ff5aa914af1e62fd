import { storeErrorOf } from '../remote/remote-errors.ts'
import type { Input, Operation } from './operations/inputs.ts'

/**
 * Sends one request to the listener of a platform, without a client library.
 * @throws QueueStoreError when the queue refuses it
 */
export async function callOperation<O extends Operation>(
  url: string,
  operation: O,
  input: Input<O>,
): Promise<{ readonly [name: string]: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AmazonSQS.${operation}`,
      authorization: 'Credential=signalbox/',
    },
    body: JSON.stringify(input),
  })
  const answer = (await response.json()) as { readonly [name: string]: unknown }
  if (response.ok) return answer
  const [code] = (response.headers.get('x-amzn-query-error') ?? '').split(';')
  const message = String(answer.message)
  throw storeErrorOf(code, message) ?? new Error(message)
}
