import type { Clock } from '@signalbox/core'
import { type Random, randomUuid } from '@signalbox/platform-runtime'
import { type Hook, type HookAnswer, MalformedRequest } from './hook.ts'
import { jsonBody, objectIn, textIn } from './json-body.ts'
import { mtaHooksFailure, mtaHooksPaths, mtaHooksProperties } from './mta-hooks.ts'

const { registration, hook } = mtaHooksPaths
const { required, optional } = mtaHooksProperties

/**
 * Discovery and registration of draft-degennaro-mta-hooks-01. A registration is not stored: the secret says who may ask,
 * and all registrations have the same terms, so that one is valid on every platform, and after each restart.
 */
export function mtaHooksRegistration({
  clock,
  random,
  maxSize,
  timeout,
}: {
  readonly clock: Pick<Clock, 'wall'>
  readonly random: Random
  readonly maxSize: number
  /** Milliseconds after which a hook has its answer. */
  readonly timeout: number
}): readonly Hook[] {
  const one = new RegExp(`^${registration}/(?<id>[\\w:-]{1,255})$`)
  return [
    {
      fail: mtaHooksFailure,
      method: 'GET',
      path: /^\/\.well-known\/mta-hooks$/,
      isPublic: true,
      answer: () => done(200, discovery(maxSize, timeout)),
    },
    {
      fail: mtaHooksFailure,
      method: 'POST',
      path: new RegExp(`^${registration}$`),
      mediaType: 'application/json',
      refuse: () => mtaHooksFailure(503, 'Try again later.'),
      read({ body }) {
        const properties = negotiated(body)
        const id = `${clock.wall().toString(36)}-${randomUuid(random)}`
        return {
          ...done(201, {
            ...registered(id),
            negotiated: { serialization: 'json', inbound: { stages, properties } },
          }),
          headers: { location: `${registration}/${id}` },
        }
      },
    },
    {
      fail: mtaHooksFailure,
      method: 'GET',
      path: new RegExp(`^${registration}/(?<id>[\\w:-]{1,255})/status$`),
      answer: names => done(200, registered(names.id!)),
    },
    {
      fail: mtaHooksFailure,
      method: 'DELETE',
      path: one,
      answer: names =>
        done(200, {
          ...{ registrationId: names.id, status: 'deregistered' },
          deregisteredAt: new Date(clock.wall()).toISOString(),
        }),
    },
  ]
}

const stages = ['data']

/**
 * Returns the properties of a registration, which are those that the MTA offers and a hook reads.
 * @throws MalformedRequest for what is not served: CBOR, other stages, and an MTA that does not send the raw mail
 */
function negotiated(body: Buffer): readonly string[] {
  const request = jsonBody(body)
  if (textIn(request, 'serialization') !== 'json')
    throw new MalformedRequest('/serialization is not json, which is the only one here.')
  const { stages: asked, properties } = objectIn(request, 'inbound')
  if (!Array.isArray(asked) || asked.join() !== stages.join())
    throw new MalformedRequest('/inbound/stages is not ["data"], which is the only stage here.')
  const isOffered = (name: string) => !Array.isArray(properties) || properties.includes(name)
  const missing = required.find(each => !isOffered(each))
  if (missing !== undefined) throw new MalformedRequest(`/inbound/properties lacks ${missing}.`)
  return [...required, ...optional].filter(isOffered)
}

function registered(id: string): object {
  const createdAt = Number.parseInt(id, 36)
  return {
    ...{ registrationId: id, status: 'active', expiresAt: null },
    // The id of this listener begins with the time of the registration.
    ...(isTime(createdAt) && { createdAt: new Date(createdAt).toISOString() }),
    hookEndpoint: `${hook}/${id}`,
    endpoints: { status: `${registration}/${id}/status`, deregistration: `${registration}/${id}` },
  }
}

function isTime(time: number): boolean {
  return time >= 0 && time < 8.64e15
}

function discovery(maxMessageSize: number, timeoutMs: number): object {
  return {
    version: '1.0',
    endpoints: { registration, deregistration: `${registration}/{registration_id}` },
    serialization: ['json'],
    capabilities: {
      inbound: {
        stages,
        fetchProperties: [...required, ...optional],
        actions: ['accept', 'reject', 'discard'],
        updateProperties: ['/action', '/response', '/message/headers', '/envelope/to'],
      },
    },
    limits: { maxMessageSize, timeoutMs },
  }
}

function done(status: number, body: object): HookAnswer {
  return { status, body, isAccepted: false }
}
