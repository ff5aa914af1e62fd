import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request as sendTo } from 'node:http'
import { isObject } from '@signalbox/codec'
import { type JsonSchema, jsonSchema } from '@signalbox/codec/json-schema'
import type { ConsoleContext } from '@signalbox/platform-runtime/console'
import { ApiError, found } from './api-error.ts'
import type { Handlers } from './handlers.ts'

/** The maximum time to wait for a load balancer's response, in milliseconds. */
const longestAnswer = 120_000
/** The maximum size of a load balancer's response, in bytes. */
const mostRead = 10 * 1024 * 1024

/** Returns the handlers of the routes that try functions. */
export function tryHandlers({
  families,
  parts,
  invocationLog,
  clock,
}: ConsoleContext): Pick<Handlers, 'samples' | 'sample' | 'loadBalancers' | 'sendRequest'> {
  return {
    async samples() {
      const { all } = await families()
      return all.flatMap(({ name: family, samples }) => Object.keys(samples).map(name => ({ name, family })))
    },

    async sample({ params: { name } }) {
      const family = found(
        (await families()).all.find(({ samples }) => Object.hasOwn(samples, name)),
        `sample ${JSON.stringify(name)}`,
      )
      const event = await family.samples[name]!()
      const codec = family.eventCodec?.(event as never) ?? family.event
      return { name, family: family.name, event, schema: schemaFor(event, jsonSchema(codec)) }
    },

    loadBalancers: async () => parts.loadBalancers?.list() ?? [],

    async sendRequest({ params, body }) {
      const all = parts.loadBalancers?.list() ?? []
      const { url } = found(
        all.find(each => each.name === params.name),
        `load balancer ${params.name}`,
      )
      if (url === undefined) throw new ApiError(400, `The load balancer ${params.name} has not started.`)
      if (!/^\/[^\s#]*$/.test(body.path))
        throw new ApiError(
          400,
          `The path ${JSON.stringify(body.path)} is invalid: expected one such as /orders?page=2.`,
        )
      const traceId = `1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`
      const started = clock.now()
      const answer = await answerTo(url, body, traceId)
      const duration = clock.now() - started
      const { entries } = await invocationLog.search({ text: traceId, last: 1 })
      return { ...answer, duration, invocation: entries[0]?.id }
    },
  }
}

interface RequestToSend {
  readonly method: string
  readonly path: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
  readonly isBase64?: boolean
}

/**
 * Sends a request through the load balancer, as a client does. It adds a trace id, unless the user gives one,
 * and finds the invocation by that id.
 */
function answerTo(
  url: string,
  { method, path, headers = [], body = '', isBase64 = false }: RequestToSend,
  traceId: string,
) {
  const bytes = Buffer.from(body, isBase64 ? 'base64' : 'utf8')
  const lower = headers.map(([name]) => name.toLowerCase())
  const own: [string, string][] = [
    ...(lower.includes('host') ? [] : [['host', new URL(url).host] as [string, string]]),
    ...(lower.includes('x-cloud-trace-id')
      ? []
      : [['x-cloud-trace-id', `Root=${traceId}`] as [string, string]]),
    ...(bytes.length === 0 ? [] : [['content-length', String(bytes.length)] as [string, string]]),
    ['connection', 'close'],
  ]
  const { hostname, port } = new URL(url)
  return new Promise<Awaited<ReturnType<typeof readAnswer>>>((resolve, reject) => {
    const refuse = (error: Error) =>
      reject(new ApiError(400, `The request cannot be sent: ${error.message}.`, { cause: error }))
    try {
      const request = sendTo(
        {
          ...{ method, path, port, timeout: longestAnswer, setHost: false },
          host: hostname.replace(/^\[|\]$/g, ''),
          headers: [...headers, ...own].flat(),
        },
        answer => void readAnswer(answer).then(resolve, refuse),
      )
      request.on('timeout', () => request.destroy(new Error(`no answer within ${longestAnswer} ms`)))
      request.on('error', refuse)
      request.end(bytes)
    } catch (error) {
      // Node refuses an invalid method or header at once.
      refuse(error as Error)
    }
  })
}

async function readAnswer(answer: IncomingMessage) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostRead) throw new Error(`the answer is larger than ${mostRead} bytes`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString()
  const isText = Buffer.from(text).equals(bytes)
  const { rawHeaders, statusCode: status = 0, statusMessage: statusText = '' } = answer
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1]!] as const] : [],
  )
  return { status, statusText, headers, body: isText ? text : bytes.toString('base64'), isBase64: !isText }
}

/**
 * Returns the part of a schema that describes an event. Alternatives whose fixed values differ from the event's
 * values are omitted.
 */
function schemaFor(event: unknown, schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema as { readonly anyOf?: readonly JsonSchema[] }
  if (anyOf === undefined) return schema
  const fitting = anyOf.filter(each => hasFixedValues(event, each))
  if (fitting.length === 0) return schema
  return fitting.length === 1 ? { ...fitting[0], ...rest } : { ...rest, anyOf: fitting }
}

function hasFixedValues(event: unknown, { properties }: JsonSchema): boolean {
  if (!isObject(event) || !isObject(properties)) return true
  return Object.entries(properties).every(([name, property]) => {
    const { const: fixed, enum: values } = property as { const?: unknown; enum?: readonly unknown[] }
    const value = (event as Record<string, unknown>)[name]
    return (fixed === undefined || fixed === value) && (values === undefined || values.includes(value))
  })
}
