import type { Problem } from '@signalbox/codec'
import { kindOf } from '@signalbox/codec'
import {
  configFields,
  controlFields,
  deadLetterFields,
  functionFields,
  healthCheckFields,
  journalFields,
  loadBalancerFields,
  queueEngineFields,
  queueFields,
  queueListenerFields,
} from './fields.ts'
import { withDefaultTimeouts } from './function-defaults.ts'
import { mailProblems } from './mail-problems.ts'
import { below, functionReference, innerProblems, isPart, type Part, partProblems } from './part-problems.ts'
import { queueFunctionProblems } from './queue-function-problems.ts'
import { queueProblems } from './queue-problems.ts'
import { sharedAddresses } from './shared-addresses.ts'

/** Names become parts of addresses, lines and perhaps paths, so they are nothing but a plain word. */
const name = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** The same, with the ending that makes a queue a FIFO queue. */
const queueName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.fifo)?$/

/** Everything that is wrong with a configuration, whatever it is. Empty when it can be understood. */
export function configProblems(config: unknown): readonly Problem[] {
  if (!isPart(config)) return [{ pointer: '', expected: 'an object', actual: kindOf(config) }]
  const found = partProblems(configFields, config, '')
  const functions = isPart(config.functions) ? config.functions : {}
  const needsFunctions = config.queues === undefined && config.queueListener === undefined
  return [
    ...found,
    ...(config.functions === undefined && needsFunctions
      ? [{ pointer: '/functions', expected: 'an object', actual: 'nothing' }]
      : []),
    ...each(config.functions, '/functions', functionProblems),
    ...each(config.loadBalancers, '/loadBalancers', (part, pointer) => [
      ...partProblems(loadBalancerFields, part, pointer),
      ...functionReference(part, pointer, functions),
      ...('healthCheck' in part && isPart(part.healthCheck)
        ? partProblems(healthCheckFields, part.healthCheck, `${pointer}/healthCheck`)
        : []),
    ]),
    ...each(
      config.queues,
      '/queues',
      (part, pointer) => [
        ...partProblems(queueFields, part, pointer),
        ...queueFunctionProblems(part, pointer, functions),
        ...innerProblems(part, 'deadLetter', deadLetterFields, pointer),
        ...innerProblems(part, 'engine', queueEngineFields, pointer),
        ...queueProblems(
          part,
          pointer,
          withDefaultTimeouts(functions, config.mail),
          isPart(config.queues) ? config.queues : {},
        ),
      ],
      queueName,
    ),
    ...innerProblems(config, 'queueListener', queueListenerFields, ''),
    ...(isPart(config.mail) ? mailProblems(config.mail, functions) : []),
    ...innerProblems(config, 'control', controlFields, ''),
    ...sharedAddresses(config),
    ...(isPart(config.journal) ? partProblems(journalFields, config.journal, '/journal') : []),
  ]
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
    return [...named, { pointer: at, expected: 'an object', actual: kindOf(part) }]
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
