import { expression } from '../../config/expression.ts'
import type { RuleSettings } from '../../config/load-balancer-settings.ts'
import { inNetworks } from '../../config/network.ts'
import { wildcards } from './wildcards.ts'

/** What rules see of a request. Nothing of it is decoded. */
export interface RequestFacts {
  readonly method: string
  readonly path: string
  readonly query: string
  /** The host name in small letters, without a port. */
  readonly host: string
  /** Alternating names and values, as in `rawHeaders` of a Node request. */
  readonly rawHeaders: readonly string[]
  /** The address of the client that has connected. */
  readonly clientAddress: string
}

type Condition = (request: RequestFacts) => boolean

/** Returns a function that tells whether a request meets all conditions of a rule. */
export function conditionsOf(rule: RuleSettings): Condition {
  const { host, path, method, headers, query, source, hostRegex, pathRegex, headersRegex } = rule
  const conditions: Condition[] = []
  if (method !== undefined) conditions.push(request => method.includes(request.method))
  if (path !== undefined) conditions.push(oneOf(path.map(wildcards), request => request.path))
  if (host !== undefined) conditions.push(oneOf(host.map(anyCase), request => request.host))
  if (pathRegex !== undefined)
    conditions.push(
      oneOf(
        pathRegex.map(each => matching(each)),
        request => request.path,
      ),
    )
  if (hostRegex !== undefined)
    conditions.push(
      oneOf(
        hostRegex.map(each => matching(each, true)),
        request => request.host,
      ),
    )
  for (const [name, values] of Object.entries(headers ?? {}))
    conditions.push(hasHeader(name.toLowerCase(), values.map(anyCase)))
  for (const [name, values] of Object.entries(headersRegex ?? {}))
    conditions.push(
      hasHeader(
        name.toLowerCase(),
        values.map(each => matching(each, true)),
      ),
    )
  if (query !== undefined) conditions.push(hasParameter(query))
  if (source !== undefined) {
    const isInside = inNetworks(source)
    conditions.push(request => isInside(request.clientAddress))
  }
  // Most rules have one condition with one value. A request is compared with a hundred of them.
  const [only] = conditions
  return conditions.length === 1 ? only! : request => conditions.every(holds => holds(request))
}

type Matches = (text: string) => boolean

/** Returns a pattern that takes texts in small letters. */
function anyCase(pattern: string): Matches {
  return wildcards(pattern.toLowerCase())
}

/** Returns whether an expression matches somewhere in a text. Its time grows with the length of the text. */
function matching(regex: string, inAnyCase = false): Matches {
  const compiled = expression(regex, inAnyCase)
  return text => compiled.matcher(text).find()
}

function oneOf(patterns: readonly Matches[], textOf: (request: RequestFacts) => string): Condition {
  const [only] = patterns
  if (only !== undefined && patterns.length === 1) return request => only(textOf(request))
  return request => {
    const text = textOf(request)
    return patterns.some(matches => matches(text))
  }
}

function hasHeader(name: string, patterns: readonly Matches[]): Condition {
  return ({ rawHeaders }) => {
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (rawHeaders[at]!.toLowerCase() === name) {
        const value = rawHeaders[at + 1]!.toLowerCase()
        if (patterns.some(matches => matches(value))) return true
      }
    return false
  }
}

function hasParameter(wanted: NonNullable<RuleSettings['query']>): Condition {
  const patterns = wanted.map(({ key, value }) => ({
    key: key === undefined ? undefined : anyCase(key),
    value: anyCase(value),
  }))
  return ({ query }) => {
    if (query === '') return false
    return query
      .toLowerCase()
      .split('&')
      .some(parameter => {
        const equals = parameter.indexOf('=')
        const [name, text] =
          equals < 0 ? [parameter, ''] : [parameter.slice(0, equals), parameter.slice(equals + 1)]
        return patterns.some(({ key, value }) => (key === undefined || key(name)) && value(text))
      })
  }
}
