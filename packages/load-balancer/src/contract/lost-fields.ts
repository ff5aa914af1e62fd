import type { Problem } from '@signalbox/codec'

/**
 * Returns the problem of an answer in the format of another service, whose cookies the load balancer would ignore
 * (docs/contract/load-balancer.md#verdict.cookies), or undefined for any other answer.
 */
export function lostCookies(answer: object): Problem | undefined {
  const { cookies } = answer as { readonly cookies?: unknown }
  if (!Array.isArray(cookies) || cookies.length === 0) return undefined
  return {
    pointer: '/cookies',
    expected: 'cookies in set-cookie headers, since cookies is a field of API Gateway and function URLs',
    actual: `an array of ${cookies.length}`,
  }
}

/**
 * Returns the problem of an answer that has only the header map of the other mode, which would be ignored
 * (docs/contract/load-balancer.md#verdict.other-header-map), or undefined for any other answer.
 */
export function lostHeaders(answer: object, multiValue: boolean): Problem | undefined {
  const { headers, multiValueHeaders } = answer as { readonly [map: string]: object | null | undefined }
  const [own, other] = multiValue ? [multiValueHeaders, headers] : [headers, multiValueHeaders]
  if ((own ?? undefined) !== undefined || isEmpty(other ?? {})) return undefined
  const [expected, actual] = multiValue ? ['multiValueHeaders', 'headers'] : ['headers', 'multiValueHeaders']
  return {
    pointer: `/${expected}`,
    expected: `the headers here, since the target group has multi-value headers ${multiValue ? 'on' : 'off'}`,
    actual: `nothing, and ${actual} beside it`,
  }
}

function isEmpty(map: object): boolean {
  // A Map or Headers has no keys of its own. The serializer would lose its headers, too.
  return Object.keys(map).length === 0 && !(Symbol.iterator in Object(map))
}
