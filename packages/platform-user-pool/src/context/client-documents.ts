import type { Clock } from '@signalbox/core'
import { isRedirectAddress } from '../config/redirect-address.ts'
import { publicFetch } from './public-fetch.ts'

/** What the document of a client says, as far as it is used. */
export interface ClientDocument {
  /** The name for people. Undefined if the document has none. */
  readonly name: string | undefined
  readonly uri: string | undefined
  readonly redirectUris: readonly string[]
}

/** The documents of clients whose ids are URLs (OAuth Client ID Metadata Document). */
export interface ClientDocuments {
  /** Returns whether the configuration lets documents be at this host. Its name is not resolved. */
  readonly mayBePrivate: (url: URL) => boolean
  /** Returns whether the last fetch has just failed, so that the document is not fetched again yet. */
  readonly hasFailed: (url: string, isPrivate: boolean) => boolean
  /**
   * Fetches a document. Rejects when it cannot be fetched, or is not about this client.
   * @param isPrivate whether the document may be at a private address
   */
  readonly fetch: (url: string, isPrivate: boolean) => Promise<ClientDocument>
}

/** The maximum size of a document in bytes. */
const mostDocumentBytes = 32 * 1024
/** How many milliseconds a fetch can take. */
const mostTime = 5000
/** How many milliseconds after a failure a document is not fetched again. */
const pause = 60_000
/** The maximum number of failures that are remembered, because anyone can name any number of documents. */
const mostFailures = 500

/**
 * Fetches the documents of clients. It connects to public addresses only, follows no redirects, and reads no more than 32 KiB
 * within five seconds.
 * @param mayBePrivate returns whether the configuration allows a private address for this URL
 */
export function clientDocuments(clock: Clock, mayBePrivate: (url: URL) => boolean): ClientDocuments {
  const running = new Map<string, Promise<ClientDocument>>()
  /** The times of the last failures. */
  const failures = new Map<string, number>()
  const keyOf = (url: string, isPrivate: boolean) => `${isPrivate ? 'private' : 'public'} ${url}`

  const read = async (url: string, isPrivate: boolean, signal: AbortSignal): Promise<ClientDocument> => {
    const load = publicFetch(() => isPrivate, mostDocumentBytes)
    const response = await load(url, { method: 'GET', headers: { accept: 'application/json' }, signal })
    if (response.status !== 200) throw new Error(`The answer has the status ${response.status}.`)
    const type = response.headers.get('content-type') ?? ''
    if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) throw new Error('The document is not JSON.')
    return documentIn(url, jsonIn(await response.text()))
  }

  const loaded = (url: string, isPrivate: boolean): Promise<ClientDocument> =>
    new Promise((resolve, reject) => {
      const aborts = new AbortController()
      const cancel = clock.after(mostTime, () => {
        const error = new Error('The document took too long.')
        aborts.abort(error)
        // The time counts whatever the connection makes of the signal.
        reject(error)
      })
      read(url, isPrivate, aborts.signal).then(resolve, reject).finally(cancel)
    })

  return {
    mayBePrivate,
    hasFailed(url, isPrivate) {
      const at = failures.get(keyOf(url, isPrivate))
      return at !== undefined && Math.abs(clock.now() - at) < pause
    },
    fetch(url, isPrivate) {
      const key = keyOf(url, isPrivate)
      const fetched =
        running.get(key) ??
        loaded(url, isPrivate).finally(() => {
          running.delete(key)
        })
      running.set(key, fetched)
      failures.delete(key)
      fetched.catch(() => {
        failures.set(key, clock.now())
        for (const oldest of failures.keys()) {
          if (failures.size <= mostFailures) break
          failures.delete(oldest)
        }
      })
      return fetched
    },
  }
}

/**
 * Returns the value of a JSON text.
 * @throws Error without the text. The parser's own message contains parts of it, which a stranger has written.
 */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The document is not JSON.')
  }
}

/**
 * Reads a document.
 * @throws Error when it is about another client, or about one with a secret
 */
function documentIn(url: string, value: unknown): ClientDocument {
  if (typeof value !== 'object' || value === null) throw new Error('The document is not an object.')
  const { client_id, client_name, client_uri, redirect_uris, token_endpoint_auth_method } = value as {
    readonly [field: string]: unknown
  }
  if (client_id !== url) throw new Error('The client_id of the document is not its URL.')
  if ((token_endpoint_auth_method ?? 'none') !== 'none' || Object.hasOwn(value, 'client_secret'))
    throw new Error('The document is not about a public client.')
  if (!isRedirectList(redirect_uris)) throw new Error('The redirect_uris of the document cannot be used.')
  return { name: shownName(client_name), uri: shownUri(client_uri), redirectUris: redirect_uris }
}

/** Schemes without a dot that widespread programs use. Others can be those of any program on the user's device. */
const knownSchemes = ['https:', 'http:', 'cursor:', 'vscode:', 'vscode-insiders:']
/** The maximum length of all redirect URIs of a client together. */
const longestRedirects = 4096

/**
 * Returns whether a value is a list of one to twenty redirect URIs, of 4 KiB together. The scheme of an app is the name of a
 * domain, backwards (RFC 8252, 7.1).
 */
export function isRedirectList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 20 &&
    value.every(
      each =>
        typeof each === 'string' &&
        each.length <= 1024 &&
        isRedirectAddress(each) &&
        (knownSchemes.includes(new URL(each).protocol) || new URL(each).protocol.includes('.')),
    ) &&
    value.join('').length <= longestRedirects
  )
}

/** Returns a name that a program gives itself, without characters that could change the text around it. */
export function shownName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const plain = value.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  // A cut by code units could leave half a character.
  return Array.from(plain).slice(0, 80).join('') || undefined
}

/** Returns the page of a program, if it is an address by https. */
export function shownUri(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 1024 || !value.startsWith('https://')) return undefined
  return isRedirectAddress(value) ? value : undefined
}
