import { isObject, kindOf, type Problem, pointerKeys } from '@signalbox/codec'
import { actionTypes } from '@signalbox/mail-flow/contract'
import {
  durableReferenceProblems,
  failureDestinationProblems,
  functionReferenceProblems,
  isDurable,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { nullSender, partsOf } from '../address-pattern.ts'
import { domainKey } from '../domain-key.ts'
import { isPattern } from './address-shapes.ts'
import { hasNoDomain } from './domain-problems.ts'

/** Returns a check of the rules, which also finds rules that never apply. `first` has the positions of those before. */
export function ruleProblems(functions: UncheckedObject, queues: unknown, first = new Map<string, number>()) {
  return (rule: UncheckedObject, pointer: string, mail: UncheckedObject): readonly Problem[] => {
    const { direction, fallback, mode, decide } = rule
    const found = [
      ...functionReferenceProblems(rule, pointer, functions),
      ...(mode === 'async'
        ? []
        : durableReferenceProblems(
            rule,
            pointer,
            functions,
            "a mail waits 15 seconds for a decision. With mode: 'async', a mail starts an execution",
          )),
      ...patternProblems(rule, mail, pointer),
    ]
    found.push(...failureDestinationProblems(rule.onFailure, `${pointer}/onFailure`, queues))
    const expect = (name: string, expected: string, actual: unknown) =>
      found.push({ pointer: `${pointer}/${name}`, expected, actual: String(actual) })
    if (mode === 'async' && decide === 'before')
      expect('decide', "mode: 'sync' beside it: an asynchronous function decides nothing", decide)
    if (rule.onFailure !== undefined && !isDurable(rule.function, functions))
      expect('onFailure', 'a durable function beside it', rule.onFailure)
    if (direction !== 'INBOUND' && direction !== 'OUTBOUND') return found
    const scope = scopeOf(rule)
    const earlier = scope === undefined ? undefined : first.get(scope)
    if (scope !== undefined && earlier === undefined) first.set(scope, Number(pointerKeys(pointer).at(-1)))
    if (earlier !== undefined)
      expect(
        'direction',
        `senders or recipients that differ from those of rule ${earlier}, which always applies before`,
        direction,
      )
    // With a milter or hooks, another mail server says which mail is outbound, and with a milter also which is inbound.
    const mayBeOutbound = mail.relay !== undefined || mail.milter !== undefined || mail.hooks !== undefined
    if (direction === 'OUTBOUND' && !mayBeOutbound)
      expect('direction', 'a relay in the configuration: without one, no mail is outbound', direction)
    if (direction === 'INBOUND' && hasNoDomain(mail) && mail.milter === undefined)
      expect('direction', 'domains in the configuration: without them, no mail is inbound', direction)
    if (direction === 'OUTBOUND' && isInboundOnly(fallback))
      expect('fallback', 'an action that outbound mail can have: DEFAULT, DROP or BOUNCE', fallback)
    return found
  }
}

function isInboundOnly(action: unknown): boolean {
  return Object.entries(actionTypes).some(([name, { inboundOnly }]) => name === action && inboundOnly)
}

/** Returns a string that is equal for rules that match the same mail. Returns undefined for malformed patterns. */
function scopeOf({ direction, senders = ['*'], recipients = ['*'] }: UncheckedObject): string | undefined {
  const lists = [senders, recipients]
  if (!lists.every(each => Array.isArray(each) && each.length > 0 && each.every(isPattern))) return undefined
  const sorted = (patterns: unknown) => [...new Set((patterns as string[]).map(normal))].sort()
  return JSON.stringify([direction, sorted(senders), sorted(recipients)])
}

function normal(pattern: string): string {
  if (pattern === nullSender || pattern === '*') return pattern
  const { local, domain } = partsOf(pattern)
  return local === '*' || local === '' ? domain : `${local}@${domain}`
}

function patternProblems(rule: UncheckedObject, mail: UncheckedObject, pointer: string): readonly Problem[] {
  const own = isObject(mail.domains) ? Object.keys(mail.domains).map(domainKey) : []
  return (['senders', 'recipients'] as const).flatMap(name => {
    const patterns = rule[name]
    return [...(Array.isArray(patterns) ? patterns : []).entries()].flatMap(
      ([at, text]): readonly Problem[] => {
        const place = `${pointer}/${name}/${at}`
        const actual = typeof text === 'string' ? JSON.stringify(text.slice(0, 80)) : kindOf(text)
        if (!isPattern(text) || (name === 'recipients' && text === nullSender))
          return [
            { pointer: place, expected: 'a pattern such as office.example or ann@office.example', actual },
          ]
        const { domain } = partsOf(text)
        if (name === 'senders' || domain.startsWith('*') || text === '*' || mail.milter !== undefined)
          return []
        const isOwn = own.includes(domain)
        if (rule.direction === 'INBOUND' && !isOwn)
          return [{ pointer: place, expected: 'a domain of mail.domains: other mail is not inbound', actual }]
        // Mail of a client that has authenticated is outbound, whatever its recipients.
        if (rule.direction === 'OUTBOUND' && isOwn && mail.hooks === undefined)
          return [
            { pointer: place, expected: 'another domain: mail to mail.domains is not outbound', actual },
          ]
        return []
      },
    )
  })
}
