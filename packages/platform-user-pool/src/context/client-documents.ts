import type { Clock } from '@signalbox/core'
import { isRedirectAddress } from '../config/redirect-address.ts'
import { publicFetch } from './public-fetch.ts'

/** What the document of a client says, as far as it is used. */
interface ClientDocument {
  /** The name for people. Undefined if the document has none. */
  readonly name: string | undefined
  readonly uri: string | undefined
  readonly redirectUris: readonly string[]
}

/** The documents of clients whose ids are URLs (OAuth Client ID Metadata Document). */
export interface ClientDocuments {
  /** Returns whether the configuration lets documents be at this host. Its name is not resolved. */
  readonly mayBePrivate: (url: URL) => boolean
  /**
   * Returns the document that was fetched less than so many milliseconds ago, or `failed` if the last attempt has just
   * failed. Undefined if the document has to be fetched.
   */
  readonly known: (url: string, cache: number) => Promise<ClientDocument> | 'failed' | undefined
  /** Fetches a document. Rejects when it cannot be fetched, or is not about this client. */
  readonly fetch: (url: string) => Promise<ClientDocument>
}

/** The maximum size of a document in bytes. */
const mostDocumentBytes = 32 * 1024
/** How many milliseconds a fetch can take. */
const mostTime = 5000
/** How many milliseconds after a failure a document is not fetched again. */
const pause = 60_000
/** The maximum number of cached documents, because anyone can name any number of them. */
const mostCached = 500

interface Known {
  readonly at: number
  readonly document: Promise<ClientDocument>
  hasFailed: boolean
}

/**
 * Fetches and caches the documents of clients. It connects to public addresses only, follows no redirects, and reads no
 * more than 32 KiB within five seconds.
 * @param mayBePrivate returns whether the configuration allows a private address for this URL
 */
export function clientDocuments(clock: Clock, mayBePrivate: (url: URL) => boolean): ClientDocuments {
  const all = new Map<string, Known>()
  const load = publicFetch(mayBePrivate, mostDocumentBytes)

  const read = async (url: string, signal: AbortSignal): Promise<ClientDocument> => {
    const response = await load(url, { method: 'GET', headers: { accept: 'application/json' }, signal })
    if (response.status !== 200) throw new Error(`The answer has the status ${response.status}.`)
    const type = response.headers.get('content-type') ?? ''
    if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) throw new Error('The document is not JSON.')
    return documentIn(url, jsonIn(await response.text()))
  }

  const loaded = (url: string): Promise<ClientDocument> =>
    new Promise((resolve, reject) => {
      const aborts = new AbortController()
      const cancel = clock.after(mostTime, () => {
        const error = new Error('The document took too long.')
        aborts.abort(error)
        // The time counts whatever the connection makes of the signal.
        reject(error)
      })
      read(url, aborts.signal).then(resolve, reject).finally(cancel)
    })

  return {
    mayBePrivate,
    known(url, cache) {
      const found = all.get(url)
      if (found === undefined) return undefined
      const age = Math.abs(clock.now() - found.at)
      if (found.hasFailed) return age < pause ? 'failed' : undefined
      return age < cache ? found.document : undefined
    },
    fetch(url) {
      const known: Known = { at: clock.now(), document: loaded(url), hasFailed: false }
      known.document.catch(() => (known.hasFailed = true))
      all.delete(url)
      all.set(url, known)
      for (const oldest of all.keys()) {
        if (all.size <= mostCached) break
        all.delete(oldest)
      }
      return known.document
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
  return (
    value
      .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, 80) || undefined
  )
}

/** Returns the page of a program, if it is an address by https. */
export function shownUri(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 1024 || !value.startsWith('https://')) return undefined
  return isRedirectAddress(value) ? value : undefined
}
