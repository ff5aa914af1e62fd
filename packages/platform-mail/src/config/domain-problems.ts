import { isObject, kindOf, type Problem, pointerKeys, pointerTo } from '@signalbox/codec'
import type { UncheckedObject } from '@signalbox/platform-runtime/config'
import { partsOf } from '../address-pattern.ts'
import { domainKey } from '../domain-key.ts'
import { mailboxName } from '../mailbox-name.ts'
import { domainForms, isDomain, isLocalPart } from './address-shapes.ts'

/** Returns a check of the platform's own domains, each of which `seen` then has. */
export function domainProblems(seen = new Set<string>()) {
  return (its: UncheckedObject, pointer: string, { domains, relay }: UncheckedObject): readonly Problem[] => {
    const domain = pointerKeys(pointer).at(-1)!
    const { to, recipients, aliases } = its
    const forms = domainForms(domain)
    const found: Problem[] = []
    if (isDomain(domain) && forms.some(form => seen.has(form)))
      found.push({ pointer, expected: 'each domain once', actual: `${forms[0]} again` })
    for (const form of forms) seen.add(form)
    if (to === 'relay' && relay === undefined)
      found.push({ pointer: `${pointer}/to`, expected: 'a relay in the configuration', actual: 'none' })
    if (isObject(to) && isObject(to.lmtp) && to.lmtp.socket !== undefined)
      for (const key of ['host', 'port'].filter(key => (to.lmtp as UncheckedObject)[key] !== undefined))
        found.push({ pointer: `${pointer}/to/lmtp/${key}`, expected: 'a socket or a port', actual: 'both' })
    if (Array.isArray(recipients)) found.push(...recipientProblems(recipients, `${pointer}/recipients`))
    if (isObject(aliases) && (to === 'relay' || isObject(to)))
      found.push({
        pointer: `${pointer}/aliases`,
        expected: "to: 'mailboxes' beside it",
        actual: `to: ${isObject(to) ? 'an LMTP server' : to}, where the next server knows the aliases`,
      })
    else if (isObject(aliases))
      found.push(...aliasProblems(aliases, domain, domains as UncheckedObject, `${pointer}/aliases`))
    return found
  }
}

/** Returns whether no mail is inbound. */
export function hasNoDomain({ domains }: UncheckedObject): boolean {
  return domains === undefined || (isObject(domains) && Object.keys(domains).length === 0)
}

const localPart = 'the part of an address before the @'

function recipientProblems(locals: readonly unknown[], pointer: string): readonly Problem[] {
  return [...locals.entries()]
    .filter(([, local]) => !isLocalPart(local))
    .map(([at, local]) => ({
      pointer: `${pointer}/${at}`,
      expected: localPart,
      actual: typeof local === 'string' ? JSON.stringify(local.slice(0, 80)) : kindOf(local),
    }))
}

function aliasProblems(
  aliases: UncheckedObject,
  domain: string,
  domains: UncheckedObject,
  pointer: string,
): readonly Problem[] {
  return Object.entries(aliases).flatMap(([alias, target]): readonly Problem[] => {
    const at = `${pointer}${pointerTo(alias)}`
    const actual = typeof target === 'string' ? JSON.stringify(target.slice(0, 80)) : kindOf(target)
    if (!isLocalPart(alias))
      return [{ pointer: at, expected: localPart, actual: JSON.stringify(alias.slice(0, 80)) }]
    if (lists(domains, domain, alias))
      return [{ pointer: at, expected: 'an alias or a recipient, but not both', actual: alias }]
    const address = typeof target === 'string' && !target.includes('@') ? `${target}@${domain}` : target
    return typeof address === 'string' && isMailbox(address, domains)
      ? []
      : [
          {
            pointer: at,
            expected: Array.isArray(target)
              ? 'one mailbox of this configuration. A function can deliver to several'
              : 'a mailbox of this configuration',
            actual,
          },
        ]
  })
}

/** Returns whether an address is a mailbox, rather than an alias, a subaddress, or a recipient of another server. */
function isMailbox(address: string, domains: UncheckedObject): boolean {
  const { local, domain } = partsOf(address)
  const its = domainNamed(domains, domain)
  if (!isLocalPart(local) || its?.to !== 'mailboxes') return false
  return its.recipients === undefined || its.recipients === '*' || lists(domains, domain, local)
}

/** Returns whether a domain lists a recipient by name. */
function lists(domains: UncheckedObject, domain: string, local: string): boolean {
  const recipients = domainNamed(domains, domainKey(domain))?.recipients
  if (!Array.isArray(recipients)) return false
  return recipients.some(each => typeof each === 'string' && mailboxName(each) === mailboxName(local))
}

function domainNamed(domains: UncheckedObject, key: string): UncheckedObject | undefined {
  const found = Object.entries(domains).find(([name]) => domainKey(name) === key)?.[1]
  return isObject(found) ? found : undefined
}
