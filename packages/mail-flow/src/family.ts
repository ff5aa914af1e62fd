import { isObject } from '@signalbox/codec'
import { type Drift, type Family, notAnAnswer } from '@signalbox/core/base'
import { readyEvent } from './contract/ready.ts'

/**
 * The family of mail-flow events: docs/contract/mail-flow.md#event. It replaces null with the empty value for fields
 * that a mail may lack: the subject, the sender of the envelope (which reports do not have), and `truncated`. `sender`
 * may also be absent, because the service sets it only for mail that is sent on behalf of another address.
 */
export const mailFlowFamily: Family = notAnAnswer('a family', {
  name: 'mail-flow',
  recognizes: event =>
    isObject(event) &&
    'envelope' in event &&
    ('summaryVersion' in event || 'flowDirection' in event || 'invocationId' in event),
  keys: ['envelope', 'flowDirection', 'summaryVersion', 'invocationId', 'messageId', 'sender', 'subject'],
  ...(process.env.NODE_ENV !== 'production' && {
    identifiedBy: 'envelope (with summaryVersion, flowDirection or invocationId)',
    hint: event =>
      Object(event).Records?.[0]?.eventSource === 'aws:ses' ? 'Use sesMail() of @signalbox/aws.' : undefined,
  }),
  correlationId: event =>
    isObject(event) && typeof event.invocationId === 'string' ? event.invocationId || undefined : undefined,
  event: readyEvent,
  normalize(event, drift) {
    if (!isObject(event)) return
    const { envelope } = event
    if (isObject(envelope) && isObject(envelope.mailFrom))
      absorb(envelope.mailFrom, 'address', '', '/envelope/mailFrom/address', drift)
    absorbSender(event, drift)
    absorb(event, 'subject', '', '/subject', drift)
    absorb(event, 'truncated', false, '/truncated', drift)
  },
})

function absorbSender(event: Record<string, unknown>, drift: Drift[] | undefined): void {
  const { sender } = event
  const address = isObject(sender) ? sender.address : sender
  if (address !== null && address !== undefined) return
  event.sender = { ...(sender as object | null | undefined), address: '' }
  drift?.push({
    pointer: isObject(sender) ? '/sender/address' : '/sender',
    was: address === null ? 'null' : 'absent',
    became: isObject(sender) ? 'an empty text' : 'a sender with an empty address',
  })
}

function absorb(
  object: Record<string, unknown>,
  key: string,
  value: '' | false,
  pointer: string,
  drift: Drift[] | undefined,
): void {
  if (object[key] !== null) return
  object[key] = value
  drift?.push({ pointer, was: 'null', became: value === '' ? 'an empty text' : 'false' })
}
