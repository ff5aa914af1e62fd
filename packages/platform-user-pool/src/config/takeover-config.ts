import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem } from '@signalbox/codec'
import { type ConfigOf, nonEmptyText, optional } from '@signalbox/platform-runtime/config'

export const takeoverFields = {
  /**
   * A file with passwords that are known from leaks, one in each line, in clear or as SHA-1 in hexadecimal with or without
   * a count. Users cannot choose them, and get a notice after a sign-in in which the client sends one. Default: none.
   */
  leaked: optional(nonEmptyText),
}

/** When a pool tells its users of sign-ins that look like takeovers. */
export interface TakeoverConfig extends ConfigOf<typeof takeoverFields> {}

/** The largest list in bytes. It is kept in memory, as digests of 20 bytes. */
const mostBytes = 64 * 1024 * 1024

/** Returns the problems of a file with leaked passwords. */
export function leakedPasswordsProblems(file: string, pointer: string, root: string): readonly Problem[] {
  const found = statSync(resolve(root, file), { throwIfNoEntry: false })
  if (!found?.isFile()) return [{ pointer, expected: 'a file', actual: `${file}, where there is none` }]
  if (found.size > mostBytes)
    return [
      { pointer, expected: `a file of at most ${mostBytes} bytes`, actual: `a file of ${found.size} bytes` },
    ]
  return []
}

/**
 * Reads a file with leaked passwords.
 * @returns the SHA-1 digests of the passwords, as latin1 text
 */
export function readLeakedPasswords(file: string, root: string): ReadonlySet<string> {
  const lines = readFileSync(resolve(root, file), 'utf8').split(/\r?\n/)
  return new Set(lines.filter(line => line !== '').map(digestOf))
}

/** Returns whether a password is in the list of a pool. */
export function isLeaked(
  takeover: { readonly leaked: ReadonlySet<string> } | undefined,
  password: string,
): boolean {
  if (takeover === undefined || takeover.leaked.size === 0) return false
  return takeover.leaked.has(digest(password))
}

/** Returns the digest of a line, which is a password, or its digest in hexadecimal with or without a count. */
function digestOf(line: string): string {
  const hex = /^([\da-f]{40})(?::\d+)?$/i.exec(line)?.[1]
  return hex === undefined ? digest(line) : Buffer.from(hex, 'hex').toString('latin1')
}

function digest(password: string): string {
  return createHash('sha1').update(password).digest().toString('latin1')
}
