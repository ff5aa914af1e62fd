import type { TlsFiles } from '@signalbox/platform-runtime/config'
import { sendToOwn } from '@signalbox/platform-runtime/listener'
import { type AccessKey, signatureHeaders } from '@signalbox/platform-runtime/signature'
import { storeErrorOf } from '../remote/remote-errors.ts'
import type { Input, Operation } from './operations/inputs.ts'

/** The options for a request to a listener. */
export interface CallOptions {
  /** The key that signs the request. A listener that authenticates its clients requires a key. */
  readonly key?: AccessKey | undefined
  /** The certificate files of a listener that uses TLS. */
  readonly tls?: TlsFiles | undefined
}

/**
 * Sends one request to the listener of a platform, without a client library.
 * @throws QueueStoreError when the queue refuses it
 */
export async function callOperation<O extends Operation>(
  url: string,
  operation: O,
  input: Input<O>,
  { key, tls }: CallOptions = {},
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
  const response = await sendToOwn(url, { host: new URL(url).host, ...headers, ...signature }, body, tls)
  const answer = JSON.parse(response.text) as { readonly [name: string]: unknown }
  if (response.status === 200) return answer
  const [code] = String(response.headers['x-amzn-query-error'] ?? '').split(';')
  const message = String(answer.message)
  throw storeErrorOf(code, message) ?? new Error(message)
}
