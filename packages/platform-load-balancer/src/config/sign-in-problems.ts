import {
  type functionReferenceProblems,
  isObject,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { expressionProblem } from './expression.ts'

type Problems = ReturnType<typeof functionReferenceProblems>

/** The keys that only a provider outside the configuration needs. */
const ofProvider = [
  ...['issuer', 'clientId', 'clientSecret', 'authorizationEndpoint', 'tokenEndpoint', 'userInfoEndpoint'],
] as const

/**
 * Returns the problems of `authenticate` and `validateJwt` that their tables do not find.
 * @param part an object with the fields of an action
 * @param balancer the load balancer that has it
 */
export function signInProblems(part: UncheckedObject, pointer: string, balancer: UncheckedObject): Problems {
  const { authenticate, validateJwt } = part
  return [
    ...(isObject(authenticate)
      ? authenticateProblems(authenticate, `${pointer}/authenticate`, balancer)
      : []),
    ...(authenticate !== undefined && validateJwt !== undefined
      ? [
          {
            pointer: `${pointer}/validateJwt`,
            expected: 'nothing beside authenticate, whose requests have no token of their own',
            actual: 'an object',
          },
        ]
      : []),
    ...(isObject(validateJwt) ? claimProblems(validateJwt.claims, `${pointer}/validateJwt/claims`) : []),
  ]
}

function authenticateProblems(part: UncheckedObject, pointer: string, balancer: UncheckedObject): Problems {
  const has = (key: string) => part[key] !== undefined
  const problem = (key: string, expected: string) => ({
    pointer: key === '' ? pointer : `${pointer}/${key}`,
    expected,
    actual: key !== '' && has(key) ? 'a value' : 'nothing',
  })
  const endpoints = [has('authorizationEndpoint'), has('tokenEndpoint')]
  const { host = '127.0.0.1', tls } = balancer
  return [
    ...(has('pool') === has('issuer')
      ? [
          {
            pointer,
            expected: 'either pool or issuer',
            actual: has('pool') ? 'both' : 'none of them',
          },
        ]
      : []),
    ...(has('pool')
      ? [
          ...ofProvider
            .filter(key => key !== 'issuer' && has(key))
            .map(key => problem(key, 'nothing beside pool')),
          ...(has('client') ? [] : [problem('client', "the name of one of the pool's clients")]),
        ]
      : []),
    ...(has('issuer') && has('client') ? [problem('client', 'nothing beside issuer: use clientId')] : []),
    ...(has('issuer') && !has('clientId') ? [problem('clientId', 'the id of a client')] : []),
    ...(endpoints[0] !== endpoints[1] || (has('userInfoEndpoint') && !endpoints[0])
      ? [problem('', 'both authorizationEndpoint and tokenEndpoint, or no endpoint')]
      : []),
    ...(tls === undefined && !isThisMachine(host)
      ? [
          {
            pointer,
            expected: 'a load balancer with tls, or one that listens on this machine only',
            actual: `http on ${String(host)}`,
          },
        ]
      : []),
  ]
}

/** Returns whether a host or an address to listen on is that of this machine alone. */
export function isThisMachine(host: unknown): boolean {
  return (
    typeof host === 'string' &&
    /^(?:localhost|(?:[a-z\d-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
  )
}

function claimProblems(claims: unknown, pointer: string): Problems {
  if (!Array.isArray(claims)) return []
  return [
    ...(claims.length > 10 ? [{ pointer, expected: 'at most 10 claims', actual: `${claims.length}` }] : []),
    ...claims.flatMap((claim: unknown, at) =>
      isObject(claim) &&
      claim.format === 'words' &&
      Array.isArray(claim.values) &&
      claim.values.some(each => String(each).includes(' '))
        ? [{ pointer: `${pointer}/${at}/values`, expected: 'values without spaces', actual: 'a space' }]
        : [],
    ),
  ]
}

/** Returns the problems of the expressions of a rule's `rewrite`. */
export function rewriteProblems(rewrite: unknown, pointer: string): Problems {
  if (!isObject(rewrite)) return []
  const parts = (['host', 'path'] as const).filter(name => rewrite[name] !== undefined)
  return [
    ...(parts.length === 0 ? [{ pointer, expected: 'host, path or both', actual: 'none of them' }] : []),
    ...parts.flatMap(name => {
      const part = rewrite[name]
      if (!isObject(part) || typeof part.regex !== 'string' || typeof part.replace !== 'string') return []
      const problem = expressionProblem(part.regex, part.replace)
      return problem === undefined
        ? []
        : [
            {
              pointer: `${pointer}/${name}/${problem.key}`,
              expected: problem.expected,
              actual: JSON.stringify(part[problem.key]),
            },
          ]
    }),
  ]
}
