import { readPayload } from '@signalbox/core/payload'
import { httpVerdict, type LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { type MailEvent, mailVerdict } from '@signalbox/mail-flow/contract'
import { batchVerdict, type QueueEvent } from '@signalbox/queue/contract'
import { triggerVerdict } from '@signalbox/user-pool/contract'
import { readEvent, type Scene } from '../scene.ts'
import { handler } from './handler.ts'

export const scenes: readonly Scene[] = [
  {
    happens: 'A trigger: a guest signs up',
    event: readEvent(import.meta.url, 'guest.json'),
    handler,
    conclude: trigger,
    expected: 'denied: Guests cannot sign up',
  },
  {
    happens: 'A trigger without a route of its own: Ada confirmed her address',
    event: readEvent(import.meta.url, 'confirmed.json'),
    handler,
    conclude: trigger,
    expected: 'accepted',
  },
  {
    happens: 'A batch: two seats in pottery, one in welding, which is full',
    event: readEvent(import.meta.url, 'event.json'),
    handler,
    conclude: batch,
    expected: '1 of 2 retried',
  },
  {
    happens: 'A mail to the office and to the no-reply address',
    event: readEvent(import.meta.url, 'mail.json'),
    handler,
    conclude: mail,
    expected: 'office@school.example: deliver; noreply@school.example: bounce',
  },
  {
    happens: 'A request, with multi-value headers on: how many seats are left in pottery?',
    event: readEvent(import.meta.url, 'request.json'),
    handler,
    conclude: http,
    expected: 'HTTP/1.1 200 OK {"course":"pottery","seats":1}',
  },
  {
    happens: 'An event from a storage bucket, which no plugin serves',
    event: readEvent(import.meta.url, 'bucket.json'),
    handler,
    conclude: failure,
    expected: 'the invocation fails: UnknownEventError',
  },
]

function trigger(payload: string, event: unknown): string {
  const verdict = triggerVerdict(payload, event)
  return verdict.kind === 'denied' ? `denied: ${verdict.message}` : verdict.kind
}

function batch(payload: string, event: unknown): string {
  const batch = event as QueueEvent
  const verdict = batchVerdict(payload, batch)
  return verdict.kind === 'partial'
    ? `${verdict.failed.length} of ${batch.Records.length} retried`
    : verdict.kind
}

function mail(payload: string, event: unknown): string {
  const { recipients } = mailVerdict(payload, event as MailEvent)
  return recipients.map(({ address, disposition }) => `${address}: ${disposition}`).join('; ')
}

function http(payload: string, event: unknown): string {
  const { statusLine, body } = httpVerdict(payload, event as LoadBalancerEvent)
  return `${statusLine} ${Buffer.from(body).toString()}`
}

function failure(payload: string): string {
  const answer = readPayload(payload)
  return answer.kind === 'error' ? `the invocation fails: ${answer.errorType}` : answer.kind
}
