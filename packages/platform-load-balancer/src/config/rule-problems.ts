import {
  durableReferenceProblems,
  failureDestinationProblems,
  functionReferenceProblems,
  isDurable,
  isObject,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { expectedExpression, isExpression } from './expression.ts'
import { rewriteProblems, signInProblems } from './sign-in-problems.ts'

type Problems = ReturnType<typeof functionReferenceProblems>

/** The limits of the service. */
const limits = { rules: 100, values: 5, wildcards: 5, targets: 5 }

const conditions = ['host', 'path', 'method', 'headers', 'query', 'source'] as const
const expressions = ['hostRegex', 'pathRegex', 'headersRegex'] as const
const actions = ['function', 'forward', 'respond', 'redirect'] as const

/** Returns the problems of a load balancer's action and rules that their tables do not find. */
export function balancerProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
  queues: unknown,
): Problems {
  const rules: readonly unknown[] = Array.isArray(part.rules) ? part.rules : []
  const check = part.healthCheck !== undefined && part.function === undefined
  return [
    ...actionProblems(part, pointer, functions, queues),
    ...signInProblems(part, pointer, part),
    ...(check
      ? [{ pointer: `${pointer}/healthCheck`, expected: 'nothing without function', actual: 'an object' }]
      : []),
    ...(part.healthCheck === undefined
      ? []
      : durableReferenceProblems(part, pointer, functions, 'each health check would be an execution')),
    ...(rules.length > limits.rules
      ? [
          {
            pointer: `${pointer}/rules`,
            expected: `at most ${limits.rules} rules`,
            actual: `${rules.length}`,
          },
        ]
      : []),
    ...repeatedPaths([part, ...rules], pointer),
    ...rules.flatMap((rule, at) =>
      isObject(rule)
        ? [
            ...conditionProblems(rule, `${pointer}/rules/${at}`),
            ...actionProblems(rule, `${pointer}/rules/${at}`, functions, queues),
            ...signInProblems(rule, `${pointer}/rules/${at}`, part),
            ...rewriteProblems(rule.rewrite, `${pointer}/rules/${at}/rewrite`),
            ...(rule.rewrite !== undefined && rule.function === undefined && rule.forward === undefined
              ? [
                  {
                    pointer: `${pointer}/rules/${at}/rewrite`,
                    expected: 'nothing without function or forward',
                    actual: 'an object',
                  },
                ]
              : []),
          ]
        : [],
    ),
  ]
}

/** Returns the problems of status paths that another action has, too, or that lie below each other. */
function repeatedPaths(actions: readonly unknown[], pointer: string): Problems {
  const paths = actions.map(each =>
    isObject(each) && isObject(each.execution) ? each.execution.statusPath : undefined,
  )
  return paths.flatMap((path, at) => {
    const overlaps = (other: unknown) =>
      other !== undefined && (`${path}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${path}/`))
    if (path === undefined || !paths.slice(0, at).some(overlaps)) return []
    const place = at === 0 ? pointer : `${pointer}/rules/${at - 1}`
    return [
      {
        pointer: `${place}/execution/statusPath`,
        expected: 'a path that no other action has, and that is not below or above one',
        actual: String(path),
      },
    ]
  })
}

function actionProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
  queues: unknown,
): Problems {
  const named = actions.filter(name => part[name] !== undefined)
  const forward: readonly unknown[] = Array.isArray(part.forward) ? part.forward : []
  const single = part.function === undefined ? ['multiValueHeaders', 'targetGroupArn'] : []
  return [
    ...(named.length === 1
      ? []
      : [
          {
            pointer,
            expected: 'one of function, forward, respond and redirect',
            actual: named.length === 0 ? 'none of them' : named.join(' and '),
          },
        ]),
    ...single
      .filter(name => part[name] !== undefined)
      .map(name => ({
        pointer: `${pointer}/${name}`,
        expected: 'nothing without function',
        actual: 'a value',
      })),
    ...(part.sticky !== undefined && part.forward === undefined
      ? [{ pointer: `${pointer}/sticky`, expected: 'nothing without forward', actual: 'a value' }]
      : []),
    ...functionReferenceProblems(part, pointer, functions),
    ...(Array.isArray(part.forward) && (forward.length === 0 || forward.length > limits.targets)
      ? [
          {
            pointer: `${pointer}/forward`,
            expected: `one to ${limits.targets} functions`,
            actual: `${forward.length}`,
          },
        ]
      : []),
    ...forward.flatMap((each, at) =>
      isObject(each) ? functionReferenceProblems(each, `${pointer}/forward/${at}`, functions) : [],
    ),
    ...executionProblems(part, `${pointer}/execution`, functions, queues),
    ...redirectProblems(part.redirect, `${pointer}/redirect`),
  ]
}

function executionProblems(
  { execution, function: name }: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
  queues: unknown,
): Problems {
  if (!isObject(execution)) return []
  const actual = typeof name === 'string' ? `${JSON.stringify(name)}, which is not durable` : 'none'
  return [
    ...(isDurable(name, functions) ? [] : [{ pointer, expected: 'a durable function beside it', actual }]),
    ...failureDestinationProblems(execution.onFailure, `${pointer}/onFailure`, queues),
  ]
}

/** A redirect to the address of the request would not end. */
function redirectProblems(redirect: unknown, pointer: string): Problems {
  if (!isObject(redirect)) return []
  const { protocol = '#{protocol}', host = '#{host}', port = '#{port}', path = '/#{path}' } = redirect
  const isSame = protocol === '#{protocol}' && host === '#{host}' && port === '#{port}' && path === '/#{path}'
  return isSame
    ? [{ pointer, expected: 'another protocol, host, port or path than the request has', actual: 'the same' }]
    : []
}

function conditionProblems(rule: UncheckedObject, pointer: string): Problems {
  const values = conditions.flatMap(name => textsIn(rule[name]))
  const wildcards = values.join('').match(/[*?]/g)?.length ?? 0
  const all = [...conditions, ...expressions]
  const count = values.length + expressions.flatMap(name => textsIn(rule[name])).length
  const empty = all.filter(name => isEmpty(rule[name]))
  const problems: Problems[number][] = empty.map(name => ({
    pointer: `${pointer}/${name}`,
    expected: 'a value, because a condition without values is never met',
    actual: 'none',
  }))
  if (count === 0 && empty.length === 0)
    problems.push({ pointer, expected: `a condition: one of ${all.join(', ')}`, actual: 'none' })
  problems.push(...expressionProblems(rule, pointer))
  if (count > limits.values)
    problems.push({
      pointer,
      expected: `at most ${limits.values} values in all conditions of a rule`,
      actual: `${count}`,
    })
  if (wildcards > limits.wildcards)
    problems.push({
      pointer,
      expected: `at most ${limits.wildcards} wildcards in all conditions of a rule`,
      actual: `${wildcards}`,
    })
  return problems
}

/** Returns the expressions that are none, and those beside patterns for the same part of a request. */
function expressionProblems(rule: UncheckedObject, pointer: string): Problems {
  const wrong = expressions.flatMap(name =>
    textsIn(rule[name])
      .filter(text => !isExpression(text))
      .map(text => ({
        pointer: `${pointer}/${name}`,
        expected: expectedExpression,
        actual: JSON.stringify(text.slice(0, 80)),
      })),
  )
  const names = (value: unknown) =>
    isObject(value) && !Array.isArray(value) ? Object.keys(value).map(each => each.toLowerCase()) : []
  const twice = [
    ...(['host', 'path'] as const).filter(
      name => rule[name] !== undefined && rule[`${name}Regex`] !== undefined,
    ),
    ...(names(rule.headers).some(each => names(rule.headersRegex).includes(each)) ? ['headers'] : []),
  ]
  return [
    ...wrong,
    ...twice.map(name => ({
      pointer: `${pointer}/${name}Regex`,
      expected: `nothing beside ${name} for the same part of a request`,
      actual: 'both',
    })),
  ]
}

function isEmpty(condition: unknown): boolean {
  if (Array.isArray(condition)) return condition.length === 0
  return isObject(condition) && Object.keys(condition).length === 0
}

/** Returns the values of a condition: one for each pattern, and for each key and value of a query. */
function textsIn(condition: unknown): readonly string[] {
  if (Array.isArray(condition))
    return condition.map(each => (isObject(each) ? `${each.key ?? ''}=${each.value ?? ''}` : String(each)))
  if (!isObject(condition)) return []
  return Object.values(condition).flatMap(each => (Array.isArray(each) ? each.map(String) : []))
}
