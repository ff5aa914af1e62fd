import { type AccessKey, signatureHeaders } from '@signalbox/platform-runtime/signature'
import { storeErrorOf } from '../remote/remote-errors.ts'
import type { Input, Operation } from './operations/inputs.ts'

/**
 * Sends one request to the listener of a platform, without a client library.
 * @param key signs the request for a listener that authenticates its clients
 * @throws QueueStoreError when the queue refuses it
 */
export async function callOperation<O extends Operation>(
  url: string,
  operation: O,
  input: Input<O>,
  key?: AccessKey,
): Promise<{ readonly [name: string]: unknown }> {
  const body = Buffer.from(JSON.stringify(input))
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `AmazonSQS.${operation}`,
  }
  const signed = Object.entries({ host: new URL(url).host, ...headers }).flat()
  const signature =
    key === undefined
      ? { authorization: 'Credential=signalbox/' }
      : signatureHeaders({ method: 'POST', target: '/', headers: signed, body }, key, {
          region: 'local',
          service: 'sqs',
          now: Date.now(),
        })
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...signature }, body })
  const answer = (await response.json()) as { readonly [name: string]: unknown }
  if (response.ok) return answer
  const [code] = (response.headers.get('x-amzn-query-error') ?? '').split(';')
  const message = String(answer.message)
  throw storeErrorOf(code, message) ?? new Error(message)
}
