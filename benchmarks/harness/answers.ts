import { isDeepStrictEqual } from 'node:util'
import type { Setup } from './work.ts'

/** The contenders that answer differently, by name, with the first difference in words. */
export type Differences = ReadonlyMap<string, string>

/**
 * Compares the answers of all contenders of a setup, before anything is timed. The expected answers are those of the
 * handwritten contender in the role `limit`. In a setup without that role, they are those of the first contender.
 * @throws Error if Signalbox answers differently, because then there is nothing to measure
 */
export async function compareAnswers(setup: Setup): Promise<Differences> {
  const differences = new Map<string, string>()
  const judge = setup.contenders.find(({ role }) => role === 'limit') ?? setup.contenders[0]
  if (judge === undefined) throw new Error(`${setup.name} has no contenders`)
  const right = await answersOf(judge)
  for (const contender of setup.contenders) {
    if (contender.role === 'floor') continue
    const found = difference(right, await answersOf(contender)) ?? contender.differs
    if (found === undefined) continue
    if (contender.role === 'ours') throw new Error(`${contender.name} answers differently: ${found}`)
    differences.set(contender.name, found)
  }
  return differences
}

async function answersOf({ name, answers, run }: Setup['contenders'][number]): Promise<unknown> {
  try {
    // The answer is compared as JSON, because JSON is all that a platform receives.
    return JSON.parse(JSON.stringify((await (answers ?? run)()) ?? null))
  } catch (cause) {
    throw new Error(`${name} has no answer to compare`, { cause })
  }
}

/** Describes the first place where two JSON values differ. Returns undefined when they are equal. */
export function difference(right: unknown, other: unknown, pointer = ''): string | undefined {
  if (isDeepStrictEqual(right, other)) return undefined
  if (isObject(right) && isObject(other) && Array.isArray(right) === Array.isArray(other)) {
    for (const key of new Set([...Object.keys(right), ...Object.keys(other)])) {
      const found = difference(right[key], other[key], `${pointer}/${key}`)
      if (found !== undefined) return found
    }
  }
  return `${pointer || 'the answer'} is ${inWords(other)}, not ${inWords(right)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function inWords(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
