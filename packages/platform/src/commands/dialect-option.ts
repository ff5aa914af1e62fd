import { nearest } from '@signalbox/codec'
import type { NamedDialect } from '@signalbox/platform-runtime'
import { UsageError } from '@signalbox/platform-runtime/command-line'

/** The option `--dialect` of commands that read or print events. */
export const dialectOption = {
  type: 'string',
  value: 'NAME',
  help: "the dialect of the events (default: the contract's own words), such as aws",
} as const

/** The functions that translate events between a dialect's names and the contract's names. */
export type Words = Pick<NamedDialect, 'read' | 'event' | 'write' | 'wrapped'>

const contract: Words = { read: event => event, event: event => event, write: result => result }

/** @throws UsageError for an unknown dialect */
export function wordsOf(
  dialect: string | undefined,
  dialects: { readonly [name: string]: NamedDialect },
): Words {
  if (dialect === undefined) return contract
  if (Object.hasOwn(dialects, dialect)) return dialects[dialect]!
  const names = Object.keys(dialects)
  const meant = nearest(dialect, names)
  throw new UsageError(
    `There is no dialect ${JSON.stringify(dialect)}. ${
      meant === undefined ? `There is ${names.join(', ')}.` : `Did you mean ${meant}?`
    }`,
  )
}
