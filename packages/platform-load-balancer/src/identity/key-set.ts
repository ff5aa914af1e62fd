import type { Clock } from '@signalbox/core'
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { boundedFetch, UnreachableError } from './bounded-fetch.ts'

/** The limits of the service for a key set. */
const limits = { bytes: 150 * 1024, keys: 10 }

/** Milliseconds after which a key set is fetched again. */
const life = 5 * 60_000

/** Milliseconds for which no key set is fetched again, even for a token with an unknown key. */
const pause = 30_000

interface Fetched {
  readonly keyOf: JWTVerifyGetKey
  readonly at: number
}

/**
 * Returns a function that finds the keys of tokens in a published key set. The set is kept for five minutes, and for longer
 * while its server cannot be reached. A token with an unknown key makes it come again, at most twice a minute.
 */
export function keySet(url: string, clock: Clock): JWTVerifyGetKey {
  let known: Fetched | undefined
  let running: Promise<Fetched> | undefined
  let tried = Number.NEGATIVE_INFINITY

  const fetchAgain = (): Promise<Fetched> => {
    tried = clock.now()
    running ??= fetchKeys(url)
      .then(keyOf => (known = { keyOf, at: clock.now() }))
      .finally(() => {
        running = undefined
      })
    return running
  }
  const mayTry = () => clock.now() - tried >= pause

  return async (header, token) => {
    let keys = known
    if (keys === undefined) {
      if (running === undefined && !mayTry())
        throw new UnreachableError(`The keys at ${url} could not be fetched`)
      keys = await (running ?? fetchAgain())
    } else if (clock.now() - keys.at >= life && mayTry()) keys = await fetchAgain().catch(() => known!)
    try {
      return await keys.keyOf(header, token)
    } catch (error) {
      if (!mayTry()) throw error
      return (await fetchAgain().catch(() => keys)).keyOf(header, token)
    }
  }
}

async function fetchKeys(url: string): Promise<JWTVerifyGetKey> {
  const answer = await boundedFetch(url, limits.bytes, { headers: { accept: 'application/json' } })
  if (answer.status !== 200)
    throw new UnreachableError(`The keys at ${url} came with status ${answer.status}`)
  let set: JSONWebKeySet
  try {
    set = (await answer.json()) as JSONWebKeySet
    if (set.keys.length > limits.keys) throw new Error('too many keys')
    return createLocalJWKSet(set)
  } catch {
    throw new UnreachableError(`The answer of ${url} is not a key set of at most ${limits.keys} keys`)
  }
}
