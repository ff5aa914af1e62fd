import { nearest } from '@signalbox/codec'
import type { NamedDialect } from '@signalbox/platform-runtime'
import { UsageError } from '@signalbox/platform-runtime/command-line'

/** The option of every command that reads or prints events: in whose words they are. */
export const dialectOption = {
  type: 'string',
  value: 'NAME',
  help: "the words that events are written in, when not the contract's: aws",
} as const

/** Events on their way between somebody's words and the contract's. */
export type Words = Pick<NamedDialect, 'read' | 'event'>

const contract: Words = { read: event => event, event: event => event }

/** @throws UsageError for a dialect that nobody speaks */
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
