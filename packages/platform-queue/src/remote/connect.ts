import { isLoopback } from '@signalbox/platform-runtime/config'
import type { QueueEngineConfig } from '../config/queue-config.ts'
import type { QueueStore } from '../store/queue-store.ts'
import { remoteStore } from './remote-store.ts'

/**
 * Connects to another engine with the AWS client, which is loaded on demand and looks for credentials itself. An
 * engine on this machine gets placeholder credentials.
 * @throws Error if a remote engine is not allowed, or the client is not installed
 */
export async function connect({ endpoint, region, allowRemote }: QueueEngineConfig): Promise<QueueStore> {
  const local = endpoint !== undefined && isLoopback(endpoint)
  if (!local && allowRemote !== true)
    throw new Error(
      `The queue engine ${endpoint ?? 'of the provider'} is not on this machine: set allowRemote: true to poll it.`,
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
    // By default, the client sends requests to the host of each queue URL, even to a host that the configuration does
    // not allow.
    useQueueUrlAsEndpoint: false,
  })
  return remoteStore(sdk, client)
}
