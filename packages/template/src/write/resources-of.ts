import { isObject } from '@signalbox/codec'
import type { Part } from '../config/config.ts'
import { writeFunctions } from './functions.ts'
import { writeLoadBalancers } from './load-balancers.ts'
import { writeQueues } from './queues.ts'
import { writeUserPools } from './user-pools.ts'
import { partOf, refTo } from './values.ts'
import type { Writing, WrittenParameter, WrittenResource, WrittenStack } from './writing.ts'

/** The parts of a configuration that have resources. Their names become logical ids in this order. */
const parts = ['userPools', 'loadBalancers', 'functions', 'queues'] as const

/** The options that say only where the platform listens and keeps its data. */
const local = new Set([
  'region',
  'account',
  'dataDir',
  'watch',
  'queueListener',
  'userPoolListener',
  'control',
  'invoke',
])

/** Returns the resources that would do in the cloud what a configuration says. */
export function resourcesOf(config: Part): WrittenStack {
  const resources: WrittenResource[] = []
  const parameters: { [name: string]: WrittenParameter } = {}
  const missing: string[] = []
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  const idOf = (part: string, name: string): string => {
    const known = ids.get(`${part} ${name}`)
    if (known !== undefined) return known
    const plain = /^[A-Za-z\d]+$/.test(name)
      ? name
      : name.replaceAll(/(?:^|[^A-Za-z\d]+)([A-Za-z\d]?)/g, (_, letter: string) => letter.toUpperCase()) ||
        'Resource'
    const kind = part.replace(/s$/, '').replace(/^[a-z]/, letter => letter.toUpperCase())
    let found = taken.has(plain) ? `${plain}${kind}` : plain
    for (let at = 2; taken.has(found); at++) found = `${plain}${kind}${at}`
    taken.add(found)
    ids.set(`${part} ${name}`, found)
    return found
  }
  const named = (part: string) => Object.entries(isObject(config[part]) ? (config[part] as Part) : {})
  for (const part of parts) for (const [name] of named(part)) idOf(part, name)
  const functions = new Set<string>()
  const writing: Writing = {
    idOf,
    add: resource => void resources.push(resource),
    needParameter(name, Type, Description) {
      parameters[name] = { Type, Description }
    },
    secret(name, Description) {
      parameters[name] = { Type: 'String', Description, NoEcho: true }
      return refTo(name)
    },
    missing: (place, why) => void missing.push(why === undefined ? place : `${place}: ${why}`),
    rest(place, options) {
      for (const [name, value] of Object.entries(options))
        if (value !== undefined) missing.push(`${place}.${name}`)
    },
    isFunction: name => functions.has(name),
  }
  for (const name of writeFunctions(named('functions'), writing)) functions.add(name)
  writeQueues(named('queues'), writing)
  writeUserPools(named('userPools'), writing)
  writeLoadBalancers(named('loadBalancers'), partOf(config.userPools), writing)
  // The other options of the Invoke API say only where it listens.
  const { maximumRetryAttempts, maximumEventAge, onFailure, functions: each } = partOf(config.invoke)
  writing.rest('invoke', { maximumRetryAttempts, maximumEventAge, onFailure, functions: each })
  for (const name of Object.keys(config))
    if (!local.has(name) && !parts.some(part => part === name)) missing.push(name)
  return { resources, parameters, missing }
}
