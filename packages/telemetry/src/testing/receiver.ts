import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a receiver sees it. */
export interface SeenSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: 'server' | 'consumer' | 'internal'
  readonly attributes: { readonly [name: string]: unknown }
  /** The ids of the linked spans. */
  readonly links: readonly string[]
  readonly isError: boolean
  readonly message: string | undefined
  /** Milliseconds. */
  readonly took: number
}

/** An OTLP receiver of a test, over HTTP in JSON. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly spans: readonly SeenSpan[]
  readonly headers: readonly { readonly [name: string]: unknown }[]
  /** The number of spans in each request. */
  readonly sizes: readonly number[]
  readonly resource: () => { readonly [name: string]: unknown }
}

interface WireAttribute {
  readonly key: string
  readonly value: { readonly [kind: string]: unknown }
}

interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly WireAttribute[]
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number; readonly message?: string }
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

/**
 * Starts a receiver on a free port.
 * @param answer answers a request with a number of spans in place of accepting it, when it returns true
 */
export async function startReceiver(
  answer: (response: ServerResponse, spans: number) => boolean = () => false,
): Promise<Receiver> {
  const spans: SeenSpan[] = []
  const headers: { readonly [name: string]: unknown }[] = []
  const sizes: number[] = []
  let resource = {}
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { resourceSpans } = JSON.parse(String(Buffer.concat(parts)))
    const [{ resource: described, scopeSpans }] = resourceSpans
    const sent = scopeSpans[0].spans as readonly WireSpan[]
    headers.push({ ...request.headers, path: request.url, method: request.method })
    sizes.push(sent.length)
    if (answer(response, sent.length)) return
    resource = valuesOf(described.attributes)
    spans.push(...sent.map(seen))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    sizes,
    resource: () => resource,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function seen(span: WireSpan): SeenSpan {
  return {
    ...{ traceId: span.traceId, spanId: span.spanId, parentId: span.parentSpanId, name: span.name },
    kind: ({ 1: 'internal', 2: 'server', 5: 'consumer' } as const)[span.kind as 1 | 2 | 5],
    attributes: valuesOf(span.attributes),
    links: span.links.map(({ spanId }) => spanId),
    isError: span.status.code === 2,
    message: span.status.message,
    took: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  }
}

function valuesOf(attributes: readonly WireAttribute[]): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [kind, held] = Object.entries(value)[0]!
      return [key, kind === 'intValue' ? Number(held) : held]
    }),
  )
}
