import type { ServerResponse } from 'node:http'
import { refuse, respondWith } from './runtime-interface.ts'

/** What extensions can subscribe to. */
type Category = 'platform' | 'function' | 'extension'

/** Sends what happens in one instance to the extensions that subscribed. */
export interface Telemetry {
  /** Reads a subscription, and answers its request. */
  readonly subscribe: (name: string, body: unknown, response: ServerResponse) => void
  /** Passes something on. `type` is one of a category, such as `platform.start`. */
  readonly add: (type: string, record: unknown) => void
  /** Sends what is left. */
  readonly flush: () => void
  /** Forgets what is left, because the extensions have ended. */
  readonly drop: () => void
}

interface Subscription {
  readonly types: readonly Category[]
  readonly port: number
  readonly path: string
  readonly maxItems: number
  readonly timeoutMs: number
  items: string[]
  bytes: number
  timer: NodeJS.Timeout | undefined
}

const schemaVersions: readonly unknown[] = [
  '2020-08-15',
  '2021-03-18',
  '2022-07-01',
  '2022-12-13',
  '2025-01-29',
]
const categories: readonly unknown[] = ['platform', 'function', 'extension'] satisfies Category[]

/** The maximum number of bytes that wait for an extension. The rest is dropped. */
const waitingLimit = 1024 * 1024

/** The hosts of destinations. All of them mean this machine, whatever they resolve to. */
const hosts = /^(?:sandbox(?:\.localdomain)?|localhost|127\.0\.0\.1)$/

/** Creates the telemetry of one instance. */
export function telemetry(): Telemetry {
  const subscriptions = new Map<string, Subscription>()

  return {
    subscribe(name, body, response) {
      const { schemaVersion, types, destination, buffering } = Object(body) as Record<string, unknown>
      const { protocol, URI } = Object(destination) as Record<string, unknown>
      const { maxItems = 1000, timeoutMs = 1000 } = Object(buffering) as Record<string, unknown>
      const to = typeof URI === 'string' && URL.canParse(URI) ? new URL(URI) : undefined
      const isValid =
        schemaVersions.includes(schemaVersion) &&
        Array.isArray(types) &&
        types.length > 0 &&
        types.every(type => categories.includes(type)) &&
        isBetween(maxItems, 1, 10_000) &&
        isBetween(timeoutMs, 25, 30_000)
      if (!isValid || protocol !== 'HTTP' || to?.protocol !== 'http:' || !hosts.test(to.hostname)) {
        refuse(
          response,
          400,
          'ValidationError',
          'A subscription has a schemaVersion, types of platform, function and extension, buffering with maxItems and timeoutMs, and a destination with the protocol HTTP and a URI on sandbox.localdomain.',
        )
        return
      }
      subscriptions.set(name, {
        types,
        port: Number(to.port || 80),
        path: to.pathname + to.search,
        maxItems,
        timeoutMs,
        items: [],
        bytes: 0,
        timer: undefined,
      })
      respondWith(response, 200, {})
    },
    add(type, record) {
      if (subscriptions.size === 0) return
      const category = type.split('.')[0] as Category
      const item = JSON.stringify({ time: new Date().toISOString(), type, record })
      for (const subscription of subscriptions.values())
        if (subscription.types.includes(category)) keep(subscription, item)
    },
    flush() {
      for (const subscription of subscriptions.values()) void send(subscription)
    },
    drop() {
      for (const { timer } of subscriptions.values()) clearTimeout(timer)
      subscriptions.clear()
    },
  }
}

function keep(subscription: Subscription, item: string): void {
  if (subscription.bytes + item.length > waitingLimit) return
  subscription.items.push(item)
  subscription.bytes += item.length
  if (subscription.items.length >= subscription.maxItems) void send(subscription)
  else subscription.timer ??= setTimeout(send, subscription.timeoutMs, subscription).unref()
}

async function send(subscription: Subscription): Promise<void> {
  clearTimeout(subscription.timer)
  subscription.timer = undefined
  const { items, port, path } = subscription
  if (items.length === 0) return
  subscription.items = []
  subscription.bytes = 0
  const { request } = await import('node:http')
  const to = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    timeout: 1000,
    agent: false,
  })
  // An extension that does not listen loses its telemetry.
  to.on('error', () => {})
  to.on('timeout', () => to.destroy())
  to.on('response', response => response.resume())
  to.end(`[${items.join(',')}]`)
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most
}
