import type { QueueEngineConfig } from '../config/queue-config.ts'
import { isLoopback } from '../config/queue-fields.ts'
import type { QueueStore } from '../store/queue-store.ts'
import { remoteStore } from './remote-store.ts'

/**
 * Connects to another engine. The provider's client is loaded for that, and finds credentials in its own way; an
 * engine on this machine gets some that mean nothing.
 * @throws when an engine that is not on this machine is not allowed, or the client is not installed
 */
export async function connect({ endpoint, region, allowRemote }: QueueEngineConfig): Promise<QueueStore> {
  const local = endpoint !== undefined && isLoopback(endpoint)
  if (!local && allowRemote !== true)
    throw new Error(
      `The queue engine ${endpoint ?? 'of the provider'} is not on this machine: it needs allowRemote: true.`,
    )
  let sdk: typeof import('@aws-sdk/client-sqs')
  try {
    sdk = await import('@aws-sdk/client-sqs')
  } catch (cause) {
    throw new Error('Another queue engine needs the package @aws-sdk/client-sqs. Install it.', { cause })
  }
  const client = new sdk.SQSClient({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined ? { region } : local && { region: 'local' }),
    ...(local && { credentials: { accessKeyId: 'signalbox', secretAccessKey: 'signalbox' } }),
    // Otherwise whatever host the answer names would be asked, allowed or not.
    useQueueUrlAsEndpoint: false,
  })
  return remoteStore(sdk, client)
}
