import { decode } from '@signalbox/codec'
import { client } from '@signalbox/load-balancer/client'
import type { AnySourceModule } from '@signalbox/platform-runtime'
import type { PlatformOptions } from '@signalbox/platform-runtime/platform'
import type * as t from 'io-ts'
import type { ClientRoutes } from '../api/client-routes.ts'
import { allRoutes } from './all-routes.ts'
import { type Config, createPlatform, type Platform } from './console-program.ts'

type Api = ClientRoutes<typeof allRoutes>

/** A platform with its console, and a visitor who has a session. */
export interface ConsolePlatform extends AsyncDisposable {
  readonly platform: Platform
  /** The origin of the control address. */
  readonly origin: string
  readonly cookie: string
  /** Returns the URL of a source by its name, such as `queues`. */
  readonly url: (source: string) => string
  readonly api: ReturnType<typeof client<Api>>
  /** Sends a request with the cookie and the headers of the console's own pages. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/**
 * Starts a platform in memory with its console, and opens a session.
 * @param modules sources in addition to those of the platform
 */
export async function consolePlatform(
  config: Config & { readonly [key: string]: unknown },
  options: PlatformOptions = {},
  modules: readonly AnySourceModule[] = [],
): Promise<ConsolePlatform> {
  const platform = createPlatform(
    { dataDir: ':memory:', control: { port: 0 }, ...config },
    { ...options, console: true },
    modules,
  )
  const addresses = await platform.start()
  const { hash } = new URL(await platform.consoleLink())
  const { origin } = new URL(addresses.find(({ source }) => source === 'control')!.url)
  const token = hash.replace('#token=', '')
  const entered = await fetch(`${origin}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signalbox-console': '1' },
    body: JSON.stringify({ token }),
  })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const own = { cookie, 'x-signalbox-console': '1' }
  return {
    platform,
    origin,
    cookie,
    url: source => addresses.find(each => each.source === source)!.url,
    api: client<Api>({ baseUrl: `${origin}/console/api`, headers: own, fetch: checkedFetch }),
    fetch: (path, init = {}) => fetch(`${origin}${path}`, { ...init, headers: { ...own, ...init.headers } }),
    [Symbol.asyncDispose]: () => platform.stop(),
  }
}

/** Returns a fetch function that fails if an answer does not match the codec of its route. */
async function checkedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const path = new URL(url).pathname.replace('/console/api', '')
  const route = Object.values(allRoutes).find(
    each => each.method === init.method && pattern(each.path).test(path),
  )
  const codec = route && (route.returns as { readonly [status: number]: t.Mixed | null })[response.status]
  if (codec === undefined) throw new Error(`${init.method} ${path} declares no ${response.status}`)
  if (codec !== null) decode(codec, await response.clone().json())
  return response
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}
