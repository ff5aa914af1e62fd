import { createHash } from 'node:crypto'
import { InvalidOptionError, refuseUnknownOptions, type Store, showOption } from '@signalbox/core'
import type { LoadBalancerEvent, LoadBalancerResponse } from '../contract/index.ts'
import { headerMap, queryMap } from '../request/http-request.ts'
import { allHeaders } from '../request/values.ts'
import { HttpError } from '../response/http-error.ts'
import { serialize } from '../response/serializer.ts'
import { type HttpMiddleware, httpMiddleware } from './http-middleware.ts'

/** Options of `once`. */
export interface OnceOptions {
  /** The store of answers: `keyvStore(keyv)`, your own store, or `memoryStore()` for tests. */
  readonly store: Store
  /** How long an answer is kept, in milliseconds. Default: one day. */
  readonly ttl?: number
  /**
   * How long a request may run, in milliseconds, before another request with the same key may run. Default:
   * one minute.
   */
  readonly lease?: number
  /**
   * Whether a request without a key is answered with 400. Default: false, which means that the request runs normally.
   */
  readonly required?: boolean
  /**
   * Returns an id of the client, so that no client gets the answer of another client. Default: the `authorization`
   * header.
   */
  readonly client?: (event: LoadBalancerEvent) => string | Promise<string>
}

/** Matches a key in quotes, as the draft has it, and a bare key, as many clients send it. */
const keyPattern = /^(?:"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}))$/

const day = 24 * 60 * 60 * 1000
const optionNames = ['store', 'ttl', 'lease', 'required', 'client'] as const

/**
 * Returns the middleware that runs a POST or PATCH request only once, even when a client sends it several times with
 * the same `idempotency-key` (draft-ietf-httpapi-idempotency-key-header), with or without quotes. A repeated request gets
 * the answer of the first request. While the first request runs, the answer to a repeated request is 409. The answer to a request with
 * the same key but another path, query or body is 422. Errors and answers with a 5xx status are not stored, so that a
 * client can try again. When the store fails before the route runs, so does the request. When only the answer cannot be
 * stored, the client still gets it, and the answer to a repeated request is 409 until the lease ends.
 *
 * Put it before middlewares that adapt answers to a client, such as `compress()`. The store contains complete answers.
 *
 * @example group('/orders', [once({ store: keyvStore(keyv), required: true })], [post('/', { body: NewOrder }, place)])
 * @throws InvalidOptionError for an unknown option or an invalid value
 */
export function once(options: OnceOptions): HttpMiddleware {
  refuseUnknownOptions('once()', options, optionNames)
  const { store, ttl = day, lease = 60_000, required = false, client = authorizationOf } = options
  if (typeof store?.setIfAbsent !== 'function') {
    throw new InvalidOptionError('once(): store is missing, expected a Store such as keyvStore(keyv)')
  }
  for (const [name, value] of Object.entries({ ttl, lease })) {
    if (!(Number.isFinite(value) && value >= 1))
      throw new InvalidOptionError(
        `once(): ${name} is ${showOption(value)}, expected milliseconds, 1 or more`,
      )
  }
  const running = new WeakMap<LoadBalancerEvent, Claim>()
  const release = async ({ event }: { readonly event: LoadBalancerEvent }) => {
    const claim = running.get(event)
    running.delete(event)
    if (claim === undefined) return
    try {
      // The claim may have expired, and another request may have made a new claim.
      if ((await store.get(claim.key)) === claim.entry) await store.delete(claim.key)
    } catch {
      // The failure is ignored, because the entry expires anyway and the error of the request is more important.
    }
  }

  return httpMiddleware('once', {
    async before({ event }) {
      if (event.httpMethod !== 'POST' && event.httpMethod !== 'PATCH') return undefined
      const sent = allHeaders(headerMap(event), 'idempotency-key')
      if (sent.length === 0 && !required) return undefined
      if (sent.length === 0) throw new HttpError(400, 'The request needs an Idempotency-Key header')
      const [, quoted, bare] = keyPattern.exec(sent[0]!.trim()) ?? []
      const name = quoted ?? bare
      if (name === undefined || sent.length > 1) {
        throw new HttpError(
          400,
          'The Idempotency-Key header is not one key: 1 to 255 visible ASCII characters without commas, quotes and backslashes, or such a text with spaces and commas in quotes',
        )
      }
      const key = `once:${digest([await client(event), name])}`
      const fingerprint = fingerprintOf(event)
      const entry = JSON.stringify({ fingerprint, running: crypto.randomUUID() })
      if (await store.setIfAbsent(key, entry, lease)) {
        running.set(event, { key, entry, fingerprint })
        return undefined
      }
      const found = JSON.parse((await store.get(key)) ?? 'null') as Entry | null
      if (found !== null && found.fingerprint !== fingerprint) {
        throw new HttpError(422, 'The Idempotency-Key was used for another request')
      }
      if (found?.reply === undefined) {
        const headers = { 'retry-after': 1 }
        throw new HttpError(409, 'A request with this Idempotency-Key is running', { headers })
      }
      // A middy stack sends an early answer as it is. The first request may have had the other header mode.
      const { multiValueHeaders, headers, ...reply } = found.reply
      return serialize({ ...reply, headers: multiValueHeaders ?? headers }, event)
    },
    async after(request) {
      const { event, response } = request
      const claim = running.get(event)
      if (claim === undefined) return
      if (response!.statusCode >= 500) return release(request)
      // An answer that cannot be sent becomes a 500, so it throws here, before it is stored.
      const reply = serialize(response, event)
      running.delete(event)
      try {
        await store.set(claim.key, JSON.stringify({ fingerprint: claim.fingerprint, reply }), ttl)
      } catch {
        // The route has run, so its answer is sent although the store could not keep it.
      }
    },
    onError: release,
  })
}

interface Claim {
  readonly key: string
  readonly entry: string
  readonly fingerprint: string
}

interface Entry {
  readonly fingerprint: string
  readonly reply?: LoadBalancerResponse
}

function fingerprintOf(event: LoadBalancerEvent): string {
  const { httpMethod, path, body } = event
  return digest([httpMethod, path, queryMap(event), body ?? ''])
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

function authorizationOf(event: LoadBalancerEvent): string {
  return allHeaders(headerMap(event), 'authorization').join()
}
