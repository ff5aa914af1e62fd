import { fieldHint, nearest, type Problem, pointerTo } from '@signalbox/codec'
import type { LoadBalancerResponse } from '../contract/index.ts'

const names = [
  'statusCode',
  'statusDescription',
  'isBase64Encoded',
  'headers',
  'multiValueHeaders',
  'body',
] as const satisfies readonly (keyof LoadBalancerResponse)[]

/** Returns the fields of a response that the load balancer does not read, or undefined when there are none. */
export function unknownFields(answer: object): readonly string[] | undefined {
  let unknown: string[] | undefined
  for (const name in answer) {
    // Searching a few names is faster than a lookup in a set.
    if (!names.includes(name as never)) unknown = [...(unknown ?? []), name]
  }
  return unknown
}

/**
 * Returns a problem for the first response field whose name seems to be a misspelling of a name from the contract.
 * Other unknown fields are allowed, because middlewares add their own.
 */
export function misspeltField(answer: object): Problem | undefined {
  const name = unknownFields(answer)?.find(each => nearest(each, names) !== undefined)
  return name === undefined
    ? undefined
    : { pointer: pointerTo(name), expected: fieldHint(name, names), actual: 'a field' }
}
