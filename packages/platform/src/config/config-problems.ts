import { nearest, type Problem, problems } from '@signalbox/codec'
import * as t from 'io-ts'
import {
  configFields,
  deadLetterFields,
  type Field,
  type Fields,
  functionFields,
  healthCheckFields,
  journalFields,
  loadBalancerFields,
  queueEngineFields,
  queueFields,
  queueListenerFields,
} from './fields.ts'
import { queueProblems } from './queue-problems.ts'

/** Names become parts of addresses, lines and perhaps paths, so they are nothing but a plain word. */
const name = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** The same, with the ending that makes a queue a FIFO queue. */
const queueName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.fifo)?$/

type Part = { readonly [key: string]: unknown }

/** Everything that is wrong with a configuration, whatever it is. Empty when it can be understood. */
export function configProblems(config: unknown): readonly Problem[] {
  if (!isPart(config)) return [{ pointer: '', expected: 'an object', actual: describe(config) }]
  const found = partProblems(configFields, config, '')
  const functions = isPart(config.functions) ? config.functions : {}
  return [
    ...found,
    ...each(config.functions, '/functions', functionProblems),
    ...each(config.loadBalancers, '/loadBalancers', (part, pointer) => [
      ...partProblems(loadBalancerFields, part, pointer),
      ...functionReference(part, pointer, functions),
      ...('healthCheck' in part && isPart(part.healthCheck)
        ? partProblems(healthCheckFields, part.healthCheck, `${pointer}/healthCheck`)
        : []),
    ]),
    ...sharedAddresses(config.loadBalancers),
    ...each(
      config.queues,
      '/queues',
      (part, pointer) => [
        ...partProblems(queueFields, part, pointer),
        ...(part.function === undefined ? [] : functionReference(part, pointer, functions)),
        ...innerProblems(part, 'deadLetter', deadLetterFields, pointer),
        ...innerProblems(part, 'engine', queueEngineFields, pointer),
        ...queueProblems(part, pointer, functions),
      ],
      queueName,
    ),
    ...innerProblems(config, 'queueListener', queueListenerFields, ''),
    ...(isPart(config.journal) ? partProblems(journalFields, config.journal, '/journal') : []),
  ]
}

function partProblems<P>(fields: Fields<P>, part: Part, pointer: string): readonly Problem[] {
  const table = Object.entries<Field>(fields)
  const codecs = (required: boolean) =>
    Object.fromEntries(
      table.filter(([, row]) => row.required === required).map(([key, row]) => [key, row.codec]),
    )
  const codec = t.intersection([t.type(codecs(true), 'an object'), t.partial(codecs(false), 'an object')])
  const found = problems(codec, part).map(problem => ({
    ...problem,
    pointer: `${pointer}${problem.pointer}`,
  }))
  return [...found, ...unknownKeys(Object.keys(fields), part, pointer)]
}

function innerProblems<P>(part: Part, key: string, fields: Fields<P>, pointer: string): readonly Problem[] {
  const inner = part[key]
  return isPart(inner) ? partProblems(fields, inner, `${pointer}/${key}`) : []
}

function unknownKeys(known: readonly string[], part: Part, pointer: string): readonly Problem[] {
  return Object.keys(part)
    .filter(key => !known.includes(key))
    .map(key => {
      const meant = nearest(key, known)
      return {
        pointer: below(pointer, key),
        expected: meant === undefined ? `nothing of this name, but ${known.join(', ')}` : `the name ${meant}`,
        actual: 'a name that nobody knows',
      }
    })
}

function each(
  parts: unknown,
  pointer: string,
  check: (part: Part, pointer: string) => readonly Problem[],
  names = name,
): readonly Problem[] {
  if (!isPart(parts)) return []
  return Object.entries(parts).flatMap(([key, part]) => {
    const at = below(pointer, key)
    const named = names.test(key)
      ? []
      : [
          {
            pointer: at,
            expected: 'a name of letters, digits, - and _, 64 at most',
            actual: JSON.stringify(key.slice(0, 80)),
          },
        ]
    if (isPart(part)) return [...named, ...check(part, at)]
    return [...named, { pointer: at, expected: 'an object', actual: describe(part) }]
  })
}

function functionProblems(part: Part, pointer: string): readonly Problem[] {
  const found = [...partProblems(functionFields, part, pointer)]
  const ways = ['module', 'handler'].filter(key => part[key] !== undefined)
  if (ways.length !== 1) {
    const actual = ways.length === 0 ? 'neither' : 'both'
    found.push({ pointer, expected: 'either a module or a handler', actual })
  }
  return found
}

function functionReference(part: Part, pointer: string, functions: Part): readonly Problem[] {
  const wanted = part.function
  if (typeof wanted !== 'string' || Object.hasOwn(functions, wanted)) return []
  const known = Object.keys(functions)
  const meant = nearest(wanted, known)
  return [
    {
      pointer: `${pointer}/function`,
      expected:
        meant ?? (known.length === 0 ? 'a function, but there is none' : `one of ${known.join(', ')}`),
      actual: `${JSON.stringify(wanted)}, which is no function here`,
    },
  ]
}

function sharedAddresses(loadBalancers: unknown): readonly Problem[] {
  if (!isPart(loadBalancers)) return []
  const taken = new Map<string, string>()
  return Object.entries(loadBalancers).flatMap(([key, part]) => {
    if (!isPart(part) || typeof part.port !== 'number' || part.port === 0) return []
    const address = `${String(part.host ?? '127.0.0.1')}:${part.port}`
    const first = taken.get(address)
    taken.set(address, first ?? key)
    if (first === undefined) return []
    const expected = `a port of its own, since ${first} has this one`
    return [{ pointer: `${below('/loadBalancers', key)}/port`, expected, actual: String(part.port) }]
  })
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function below(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return value === null ? 'null' : 'nothing'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
