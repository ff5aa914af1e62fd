import { nearest } from '@signalbox/codec'
import { UsageError } from '../command-line/usage-error.ts'
import type { DialectName, NamedDialect } from '../dialect/dialects.ts'

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
export async function wordsOf(dialect: string | undefined): Promise<Words> {
  if (dialect === undefined) return contract
  const { dialects } = await import('../dialect/dialects.ts')
  if (Object.hasOwn(dialects, dialect)) return dialects[dialect as DialectName]
  const names = Object.keys(dialects)
  const meant = nearest(dialect, names)
  throw new UsageError(
    `There is no dialect ${JSON.stringify(dialect)}. ${
      meant === undefined ? `There is ${names.join(', ')}.` : `Did you mean ${meant}?`
    }`,
  )
}
