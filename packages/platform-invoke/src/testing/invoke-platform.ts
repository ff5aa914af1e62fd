import {
  InvokeCommand,
  type InvokeCommandInput,
  LambdaClient,
  type LambdaClientConfig,
} from '@aws-sdk/client-lambda'
import type { PlatformOptions } from '@signalbox/platform-runtime/platform'
import { type Config, createPlatform } from './invoke-program.ts'

/** Returns an AWS SDK client for Lambda that never retries a call. */
export function lambdaClient(
  endpoint: string,
  credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'none' },
  requestHandler: LambdaClientConfig['requestHandler'] = {},
) {
  const client = new LambdaClient({ region: 'local', endpoint, credentials, maxAttempts: 1, requestHandler })
  return {
    async invoke(FunctionName: string, event?: unknown, more: Partial<InvokeCommandInput> = {}) {
      const Payload = event === undefined ? undefined : JSON.stringify(event)
      const { Payload: payload, ...rest } = await client.send(
        new InvokeCommand({ FunctionName, ...(Payload !== undefined && { Payload }), ...more }),
      )
      const text = Buffer.from(payload ?? []).toString()
      return { ...rest, payload: text === '' ? undefined : (JSON.parse(text) as unknown) }
    },
    destroy: () => client.destroy(),
  }
}

/** Starts a platform with the Invoke API on a free port, and a client for it. */
export async function invokePlatform(config: Config, options: PlatformOptions = {}) {
  const notices: string[] = []
  const platform = createPlatform(
    { dataDir: ':memory:', grace: 1, ...config, invoke: { port: 0, ...config.invoke } },
    { onNotice: text => notices.push(text), ...options },
  )
  const addresses = await platform.start()
  const { url } = addresses.find(({ source }) => source === 'invoke')!
  const client = lambdaClient(url)
  return {
    platform,
    url,
    notices,
    invoke: client.invoke,
    urlOf: (source: string) => addresses.find(each => each.source === source)!.url,
    async [Symbol.asyncDispose]() {
      client.destroy()
      await platform.stop()
    },
  }
}
