import { fieldHint, nearest, type Problem } from '@signalbox/codec'
import type { LoadBalancerResponse } from '../contract/index.ts'

const names = [
  'statusCode',
  'statusDescription',
  'isBase64Encoded',
  'headers',
  'multiValueHeaders',
  'body',
] as const satisfies readonly (keyof LoadBalancerResponse)[]

/** The fields of an answer that the load balancer does not read; undefined when there are none. */
export function unknownFields(answer: object): readonly string[] | undefined {
  let found: string[] | undefined
  for (const name in answer) {
    // A list of a few names is looked through faster than any table.
    let place = names.length - 1
    while (place >= 0 && names[place] !== name) place--
    if (place < 0) found = [...(found ?? []), name]
  }
  return found
}

/**
 * The first field of an answer whose name is nearly one of the contract's: most likely a typing error. Others may be
 * there, since middlewares have fields of their own.
 */
export function misspeltField(answer: object): Problem | undefined {
  const name = unknownFields(answer)?.find(each => nearest(each, names) !== undefined)
  return name === undefined
    ? undefined
    : { pointer: `/${name}`, expected: fieldHint(name, names), actual: 'a field' }
}
