import type { PlatformOptions } from '@signalbox/platform-runtime/platform'
import type { Handler } from '@signalbox/platform-runtime/platform/testing/parts'
import type { LoadBalancerConfig } from '../config/load-balancer-config.ts'
import { createPlatform, type Platform } from './balancer-program.ts'

/** A platform that ends with its test: `await using balancer = await startBalancer(handler)`. */
export interface RunningBalancer extends AsyncDisposable {
  readonly platform: Platform
  readonly url: string
}

/** Starts a load balancer on a free port in front of a function that runs in this process. */
export async function startBalancer(
  handler: Handler,
  loadBalancer: Partial<LoadBalancerConfig> = {},
  { timeout = 5, ...options }: PlatformOptions & { readonly timeout?: number } = {},
): Promise<RunningBalancer> {
  const platform = createPlatform(
    {
      functions: { shop: { handler, timeout } },
      loadBalancers: { web: { port: 0, function: 'shop', ...loadBalancer } },
      dataDir: ':memory:',
      grace: 1,
    },
    options,
  )
  const [address] = await platform.start()
  return { platform, url: address!.url, [Symbol.asyncDispose]: () => platform.stop() }
}

/** A result with only the required fields, and status 200. */
export const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }

/** A function that returns its event. */
export const echo: Handler = (event: object) =>
  'multiValueHeaders' in event
    ? { ...ok, multiValueHeaders: {}, body: JSON.stringify(event) }
    : { ...ok, body: JSON.stringify(event) }
