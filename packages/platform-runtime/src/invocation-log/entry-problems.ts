import { type Problem, problems } from '@signalbox/codec'
import type { PlatformFamilies } from '../families/platform-families.ts'
import type { InvocationLogEntry } from './entry.ts'
import { isEventOmitted } from './trimmed-entry.ts'

/** The fields of an invocation that break the contract of its family. */
export interface EntryProblems {
  readonly eventProblems: readonly Problem[]
  readonly payloadProblems: readonly Problem[]
}

/** Finds the fields of a logged event, and of the payload that answered it, that do not match their contract. */
export function entryProblems(
  { event, payload, family: name, verdict, failure }: InvocationLogEntry,
  { all }: PlatformFamilies,
): EntryProblems {
  const family = all.find(each => each.name === name)
  if (family === undefined || isEventOmitted(event)) return { eventProblems: [], payloadProblems: [] }
  const sent = JSON.parse(event) as Parameters<typeof family.normalize>[0]
  family.normalize(sent)
  const eventProblems = problems(family.event, sent)
  // The payload of a function that failed describes its error, and was never meant to keep the contract.
  const isWrong =
    eventProblems.length === 0 && failure === undefined && verdict?.ok === false && payload !== ''
  return { eventProblems, payloadProblems: isWrong ? (family.problems?.(payload, sent as never) ?? []) : [] }
}
