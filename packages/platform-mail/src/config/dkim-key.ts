import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import type { Problem } from '@signalbox/codec'
import { isReadableByOthers } from '@signalbox/platform-runtime'
import type { DkimConfig } from './mail-config.ts'

/** The key with which mail of one domain is signed (RFC 6376). */
export interface DkimKey {
  /** The domain in ASCII. */
  readonly domain: string
  readonly selector: string
  readonly privateKey: KeyObject
}

/** The minimum number of bits of an RSA key, below which verifiers take no signature (RFC 8301, 3.2). */
const leastBits = 1024

/** Reads the key of a domain. Its path is relative to `root`. */
export function dkimKey({ selector, key }: DkimConfig, domain: string, root: string): DkimKey {
  return { domain: domainToASCII(domain) || domain, selector, privateKey: readKey(resolve(root, key)) }
}

/** Returns the problems of the file of a key. None of them shows what is in the file. */
export function dkimProblems(key: string, pointer: string, root: string): readonly Problem[] {
  // Somebody may have written the key itself in the place of its path.
  if (/-----BEGIN|[\r\n]/.test(key) || key.length > 4096)
    return [{ pointer, expected: 'the path of a file', actual: 'a text that is no path' }]
  const path = resolve(root, key)
  const stats = statsOf(path)
  if (!stats?.isFile()) return [{ pointer, expected: 'a file', actual: `${key}, where there is none` }]
  if (isReadableByOthers(stats))
    return [{ pointer, expected: 'a file that only its owner can read (mode 600)', actual: key }]
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = readKey(path)
    const bits = details?.modulusLength ?? 0
    return type === 'rsa' && bits >= leastBits
      ? []
      : [
          {
            pointer,
            expected: `an RSA key of at least ${leastBits} bits`,
            actual: type === 'rsa' ? `one of ${bits} bits` : `a key of the type ${type}`,
          },
        ]
  } catch {
    return [{ pointer, expected: 'a private key (PEM)', actual: `${key}, which cannot be read as one` }]
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Reads a private key (PEM). */
export function readKey(path: string): KeyObject {
  return createPrivateKey(readFileSync(path))
}
