import { nearest } from '@signalbox/codec'
import { UsageError } from '../command-line/usage-error.ts'

/** The option of every command that reads or prints events: in whose words they are. */
export const dialectOption = {
  type: 'string',
  value: 'NAME',
  help: "the words that events are written in, when not the contract's: aws",
} as const

/** Events on their way between somebody's words and the contract's. */
export interface Words {
  readonly toContract: (event: unknown) => unknown
  readonly fromContract: (event: unknown) => unknown
}

const contract: Words = { toContract: event => event, fromContract: event => event }

const dialects: { readonly [name: string]: () => Promise<Words> } = {
  async aws() {
    const { fromAws, toAws } = await import('@signalbox/aws')
    return { toContract: fromAws, fromContract: event => toAws(event) }
  },
}

/** @throws UsageError for a dialect that nobody speaks */
export async function wordsOf(dialect: string | undefined): Promise<Words> {
  if (dialect === undefined) return contract
  const load = Object.hasOwn(dialects, dialect) ? dialects[dialect] : undefined
  if (load !== undefined) return load()
  const names = Object.keys(dialects)
  const meant = nearest(dialect, names)
  throw new UsageError(
    `There is no dialect ${JSON.stringify(dialect)}. ${
      meant === undefined ? `There is ${names.join(', ')}.` : `Did you mean ${meant}?`
    }`,
  )
}
