import type { WireMail } from '../data/mail.ts'
import { isObject } from './shapes.ts'

interface Decision {
  readonly action: { readonly type: 'BOUNCE'; readonly parameters: { readonly bounceMessage: string } }
  readonly recipients: readonly string[]
}

/**
 * Decides on a mail by hand. No contender can take less time. Checks the event against
 * docs/contract/mail-flow.md, and returns one bounce for the recipients in each list. Checks that the lists
 * name only recipients of the mail, each of them once and at most 500, and that the response has at most 256
 * KB.
 */
export function decideByHand(event: unknown, lists: readonly (readonly string[])[]): object {
  if (!isMailEvent(event)) throw new Error('the event is not valid')
  // The keys are the addresses of the recipients, with domains in lower case. A value becomes true when an
  // action names the address.
  const listed = new Map<string, boolean>()
  const { recipients } = event.envelope
  for (let i = 0; i < recipients.length; i++) listed.set(keyOf(recipients[i]!.address), false)
  const actions: Decision[] = []
  const messages = new Set<string>()
  let named = 0
  let length = 0
  for (let i = 0; i < lists.length; i++) {
    const bounceMessage = `Department ${i} has closed`
    if (messages.has(bounceMessage) || actions.length === 10) throw new Error('too many actions')
    messages.add(bounceMessage)
    const list = lists[i]!
    const own: string[] = []
    for (let j = 0; j < list.length; j++) {
      const address = list[j]!
      const key = keyOf(address)
      if (listed.get(key) !== false) throw new Error(`${address} is not a recipient, or named twice`)
      listed.set(key, true)
      own.push(address)
      length += address.length + 3
    }
    named += own.length
    length += bounceMessage.length + 100
    actions.push({ action: { type: 'BOUNCE', parameters: { bounceMessage } }, recipients: own })
  }
  if (named > 500) throw new Error('too many recipients')
  const response = { actions }
  // A character takes at most six bytes in JSON, so only a long response needs to be measured.
  if (length * 6 > 256 * 1024 && Buffer.byteLength(JSON.stringify(response)) > 256 * 1024) {
    throw new Error('the response is too large')
  }
  return response
}

/** Returns the address with its domain in lower case, because the case of a domain does not matter. */
function keyOf(address: string): string {
  const at = address.lastIndexOf('@')
  for (let i = at + 1; i < address.length; i++) {
    const code = address.charCodeAt(i)
    if ((code >= 65 && code <= 90) || code > 127)
      return address.slice(0, at) + address.slice(at).toLowerCase()
  }
  return address
}

function isMailEvent(u: unknown): u is WireMail {
  if (!isObject(u) || !isObject(u.envelope) || !isAddressHolder(u.sender)) return false
  const { mailFrom, recipients } = u.envelope
  if (!isAddressHolder(mailFrom) || !Array.isArray(recipients)) return false
  for (let i = 0; i < recipients.length; i++) if (!isAddressHolder(recipients[i])) return false
  return (
    typeof u.summaryVersion === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(u.summaryVersion) &&
    typeof u.subject === 'string' &&
    (u.subject.length <= 256 || [...u.subject].length <= 256) &&
    typeof u.messageId === 'string' &&
    typeof u.invocationId === 'string' &&
    (u.flowDirection === 'INBOUND' || u.flowDirection === 'OUTBOUND') &&
    typeof u.truncated === 'boolean'
  )
}

function isAddressHolder(u: unknown): boolean {
  return isObject(u) && typeof u.address === 'string'
}
