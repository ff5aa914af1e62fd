import type { MailEvent } from '../contract/event.ts'
import { subjectLimit } from '../contract/limits.ts'

/** A change that breaks exactly one rule of the contract. */
export interface Mutator<Value> {
  /** A description of the fault that the change causes. */
  readonly name: string
  /** The JSON pointer of the broken field. */
  readonly pointer: string
  /** Returns a copy of a value with this fault. */
  readonly mutate: (value: Value) => unknown
}

function change(name: string, pointer: string, value?: unknown): Mutator<MailEvent> {
  return {
    name,
    pointer,
    mutate(event) {
      const copy: unknown = structuredClone(event)
      const keys = pointer.split('/').slice(1)
      const last = keys.pop()!
      let parent = copy as Record<string, unknown>
      for (const key of keys) {
        parent[key] ??= {}
        parent = parent[key] as Record<string, unknown>
      }
      if (value === undefined) delete parent[last]
      else
        Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true })
      return copy
    },
  }
}

const firstRecipient = '/envelope/recipients/0'

/**
 * A mutator for every rule of a mail-flow event. A mutator whose pointer begins with `/envelope/recipients/0` needs an
 * event with a recipient.
 */
export const mailEventMutators: readonly Mutator<MailEvent>[] = [
  change('a missing "summaryVersion"', '/summaryVersion'),
  change('a summaryVersion that is not a string', '/summaryVersion', 20190728),
  change('a summaryVersion that is not shaped as a date', '/summaryVersion', '1.0'),
  change('a missing "envelope"', '/envelope'),
  change('an envelope that is not an object', '/envelope', 'rita@partner.example'),
  change('a missing "mailFrom"', '/envelope/mailFrom'),
  change('a mailFrom that is not an object', '/envelope/mailFrom', 'rita@partner.example'),
  change('a mailFrom without an address', '/envelope/mailFrom/address'),
  change('a mailFrom whose address is not a string', '/envelope/mailFrom/address', ['rita@partner.example']),
  change('a missing "recipients"', '/envelope/recipients'),
  change('recipients that are not a list', '/envelope/recipients', { 0: { address: 'ann@office.example' } }),
  change('a recipient that is not an object', firstRecipient, 'ann@office.example'),
  change('a recipient without an address', `${firstRecipient}/address`),
  change('a recipient whose address is not a string', `${firstRecipient}/address`, null),
  change('a sender that is not an object', '/sender', 'rita@partner.example'),
  change('a sender whose address is not a string', '/sender/address', 7),
  change('a missing "subject"', '/subject'),
  change('a subject that is not a string', '/subject', 7),
  change('a subject of 257 characters', '/subject', '😀'.repeat(subjectLimit + 1)),
  change('a missing "messageId"', '/messageId'),
  change('a messageId that is not a string', '/messageId', 0),
  change('a missing "invocationId"', '/invocationId'),
  change('an invocationId that is not a string', '/invocationId', null),
  change('a missing "flowDirection"', '/flowDirection'),
  change('a flowDirection of SIDEWAYS', '/flowDirection', 'SIDEWAYS'),
  change('a missing "truncated"', '/truncated'),
  change('a truncated that is not a boolean', '/truncated', 'false'),
  change('a client that is not an object', '/client', '192.0.2.1'),
  change('a client whose address is not a string', '/client/address', 7),
  change('an authentication that is not an object', '/authentication', 'pass'),
  change('an SPF result that is not a word of RFC 8601', '/authentication/spf/result', 'Pass'),
  change('DKIM results that are not a list', '/authentication/dkim', { result: 'pass' }),
]
