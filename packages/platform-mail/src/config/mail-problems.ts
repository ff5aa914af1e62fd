import { isObject, kindOf, type Problem, pointerTo } from '@signalbox/codec'
import {
  defaultHost,
  fieldProblems,
  functionReferenceProblems,
  isOwnAddress,
  nestedProblems,
  tlsFields,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { domainForms } from './domain-forms.ts'
import {
  isDomain,
  isLocalPart,
  mailFields,
  mailRuleFields,
  relayFields,
  submissionFields,
} from './mail-fields.ts'

/** Returns all problems of the key `mail` of a configuration. */
export function mailProblems(
  mail: UncheckedObject,
  functions: UncheckedObject,
  access?: unknown,
): readonly Problem[] {
  return [
    ...fieldProblems(mailFields, mail, '/mail'),
    ...mailboxProblems(mail.mailboxes),
    ...ruleProblems(mail, functions),
    ...nestedProblems(mail, 'relay', relayFields, '/mail'),
    ...credentialProblems(mail.relay),
    ...nestedProblems(mail, 'tls', tlsFields, '/mail'),
    ...nestedProblems(mail, 'submission', submissionFields, '/mail'),
    ...submissionProblems(mail, access),
    ...(isObject(mail.limits) && mail.limits.connections !== undefined
      ? [
          {
            pointer: '/mail/limits/connections',
            expected: 'maxConnectionsPerAddress of mail instead',
            actual: 'a limit here',
          },
        ]
      : []),
    ...(nothingLocal(mail) && mail.relay === undefined
      ? [
          {
            pointer: '/mail',
            expected: 'mailboxes, a relay, or both',
            actual: 'neither, so that all mail would be refused',
          },
        ]
      : []),
  ]
}

/** Returns the problems of the submission listener, which requires keys, and also TLS for clients on other machines. */
function submissionProblems({ submission, tls }: UncheckedObject, access: unknown): readonly Problem[] {
  if (!isObject(submission)) return []
  const { host = defaultHost } = submission
  const pointer = '/mail/submission'
  return [
    ...(access === undefined
      ? [{ pointer, expected: '`access` with the identities that may submit mail', actual: 'nothing there' }]
      : []),
    ...(tls === undefined && typeof host === 'string' && !isOwnAddress(host)
      ? [
          {
            pointer: `${pointer}/host`,
            expected: `an address of this machine, or a certificate in mail.tls`,
            actual: host,
          },
        ]
      : []),
  ]
}

function mailboxProblems(mailboxes: unknown): readonly Problem[] {
  if (!isObject(mailboxes)) return []
  const seen = new Set<string>()
  return Object.entries(mailboxes).flatMap(([domain, locals]) => {
    const pointer = `/mail/mailboxes${pointerTo(domain)}`
    const forms = domainForms(domain)
    const found: Problem[] = []
    if (!isDomain(domain))
      found.push({ pointer, expected: 'a domain name', actual: JSON.stringify(domain.slice(0, 80)) })
    else if (forms.some(form => seen.has(form)))
      found.push({ pointer, expected: 'each domain once', actual: `${forms[0]} again` })
    for (const form of forms) seen.add(form)
    if (locals === '*') return found
    if (!Array.isArray(locals))
      return [...found, { pointer, expected: '* or a list of local parts', actual: kindOf(locals) }]
    for (const [at, local] of locals.entries())
      if (!isLocalPart(local))
        found.push({
          pointer: `${pointer}/${at}`,
          expected: 'the part of an address before the @',
          actual: typeof local === 'string' ? JSON.stringify(local.slice(0, 80)) : kindOf(local),
        })
    return found
  })
}

function ruleProblems(mail: UncheckedObject, functions: UncheckedObject): readonly Problem[] {
  if (!Array.isArray(mail.rules)) return []
  const first = new Map<unknown, number>()
  return mail.rules.flatMap((rule: unknown, at): readonly Problem[] => {
    const pointer = `/mail/rules/${at}`
    if (!isObject(rule)) return [{ pointer, expected: 'an object', actual: kindOf(rule) }]
    const { direction } = rule
    const found = [
      ...fieldProblems(mailRuleFields, rule, pointer),
      ...functionReferenceProblems(rule, pointer, functions),
    ]
    const expect = (expected: string) =>
      found.push({ pointer: `${pointer}/direction`, expected, actual: String(direction) })
    if (direction !== 'INBOUND' && direction !== 'OUTBOUND') return found
    const earlier = first.get(direction)
    if (earlier === undefined) first.set(direction, at)
    else expect(`one rule for each direction; rule ${earlier} has this one`)
    if (direction === 'OUTBOUND' && mail.relay === undefined)
      expect('a relay in the configuration: without one, no mail is outbound')
    if (direction === 'INBOUND' && nothingLocal(mail))
      expect('mailboxes in the configuration: without them, no mail is inbound')
    return found
  })
}

function credentialProblems(relay: unknown): readonly Problem[] {
  if (!isObject(relay) || (relay.user === undefined) === (relay.password === undefined)) return []
  const missing = relay.user === undefined ? 'user' : 'password'
  return [
    { pointer: `/mail/relay/${missing}`, expected: 'a user and a password, or neither', actual: 'nothing' },
  ]
}

function nothingLocal({ mailboxes }: UncheckedObject): boolean {
  return mailboxes === undefined || (isObject(mailboxes) && Object.keys(mailboxes).length === 0)
}
