import { isObject } from '@signalbox/codec'
import {
  type ControlAnswer,
  type ControlApi,
  type ControlRequest,
  type Random,
  randomUuid,
} from '@signalbox/platform-runtime'
import { jsonObject } from '@signalbox/platform-runtime/listener'
import type { MailFlow } from '../flow/mail-flow.ts'
import { newContent } from '../message/new-content.ts'
import { apiClient, type ClientOperation } from './api-client.ts'
import { RefusedRequest } from './api-error.ts'
import type { ContentObjects, ObjectName } from './content-objects.ts'
import { requestBody } from './request-body.ts'

/** What the message API needs of the platform. */
export interface MessagesContext {
  readonly mail: () => Promise<Pick<MailFlow, 'changingAttempt'> & { readonly fetch: MailFlow['raw'] }>
  readonly objects: ContentObjects
  /** The maximum number of bytes of a mail. */
  readonly maxSize: number
  /** Returns whether a function is handling an event about a mail, so that its token is enough. */
  readonly isFor: (id: string, functionName: string) => boolean
  readonly random: Random
  readonly notice: (text: string) => void
}

const errors: ClientOperation['errors'] = {
  denied: 'AccessDeniedException',
  IncompleteSignature: 'IncompleteSignatureException',
  InvalidSignature: 'InvalidSignatureException',
  MissingAuthenticationToken: 'MissingAuthenticationTokenException',
  RequestExpired: 'RequestExpiredException',
  Throttled: 'ThrottlingException',
  UnrecognizedClient: 'UnrecognizedClientException',
}
const bodyErrors = {
  tooLarge: 'ValidationException',
  tooSlow: 'ServiceUnavailableException',
  noMemory: 'ServiceUnavailableException',
} as const

/** The maximum number of bytes of a request that names an object. */
const referenceLimit = 16 * 1024

/**
 * Serves the operations of Amazon WorkMail Message Flow: `GET /messages/{id}` (GetRawMessageContent) and `POST
 * /messages/{id}` (PutRawMessageContent). See docs/contract/mail-flow.md#message-api.
 */
export function messagesApi(context: MessagesContext): ControlApi['answer'] {
  const { objects, isFor, random, notice } = context

  const answer = async (control: ControlRequest): Promise<ControlAnswer> => {
    const { method, url = '' } = control.request
    const id = messageIdIn(url)
    const operation =
      method === 'GET' ? 'GetRawMessageContent' : method === 'POST' ? 'PutRawMessageContent' : undefined
    if (id === undefined || operation === undefined)
      throw new RefusedRequest(
        'UnknownOperationException',
        'The only operations are GET and POST /messages/ID.',
      )
    const client = apiClient(control, {
      ...{ name: operation, service: 'workmailmessageflow', right: method === 'GET' ? 'read' : 'change' },
      ...{ resource: `messages/${id}`, isFor: functionName => isFor(id, functionName), errors },
    })
    const mail = await context.mail()
    // A put belongs to the attempt during which it came, and not to a retry that begins before its body is here.
    const attempt = mail.changingAttempt(id, client.functionName)
    const body = await requestBody(control, method === 'GET' ? 0 : referenceLimit, bodyErrors)
    const owner = client.authorize(body, body.length)
    if (method === 'POST') {
      const { version, ...name } = { owner, ...referenceIn(body) }
      const before = await mail.fetch(id)
      try {
        put(id, attempt, { name, version, before })
      } finally {
        // A content that was refused is of no use any more, and takes the room of others.
        objects.remove(name)
      }
      return { status: 200, body: '' }
    }
    const raw = await mail.fetch(id, owner)
    if (raw === undefined) throw notFound(id)
    return { status: 200, body: raw, headers: { 'content-type': 'application/octet-stream' } }
  }

  /**
   * Changes a mail.
   * @throws RefusedRequest if the mail cannot be changed, and for a content that cannot take its place
   */
  const put = (
    id: string,
    attempt: ReturnType<MailFlow['changingAttempt']>,
    {
      name,
      version,
      before,
    }: { readonly name: ObjectName; readonly version: unknown; readonly before: Buffer | undefined },
  ) => {
    if (attempt === 'not in flight') {
      if (before === undefined) throw notFound(id)
      throw new RefusedRequest('MessageFrozen', 'No function is deciding on this mail.')
    }
    if ('frozen' in attempt) throw new RefusedRequest('MessageFrozen', attempt.frozen)
    const reference = JSON.stringify(name)
    const object = objects.get(name)
    if (object === undefined) {
      // A client that has lost the answer sends the request again, and its object is gone.
      if (attempt.content()?.reference === reference) return
      throw new RefusedRequest(
        'InvalidContentLocation',
        `There is no object ${name.key} of this client in the bucket ${name.bucket}. Send it to /objects of this address first; it is kept for five minutes.`,
      )
    }
    if (version !== undefined && version !== 'null')
      throw new RefusedRequest('InvalidContentLocation', 'Objects have no versions: leave objectVersion out.')
    const raw = newContent(object.bytes, before ?? Buffer.alloc(0), context.maxSize)
    if (typeof raw === 'string') throw new RefusedRequest('MessageRejected', raw)
    const problem = attempt.problem(raw)
    if (problem !== undefined) throw new RefusedRequest('MessageFrozen', problem)
    if (!attempt.put({ raw, by: name.owner, reference }))
      throw new RefusedRequest('MessageFrozen', 'The function has decided meanwhile, or has failed.')
  }

  return async control => {
    const requestId = { 'x-amzn-requestid': randomUuid(random) }
    try {
      const { headers, ...answered } = await answer(control)
      return { ...answered, headers: { ...requestId, ...headers } }
    } catch (error) {
      const { code, message, status, retryAfter } = known(error, notice)
      return {
        status,
        body: JSON.stringify({ message }),
        headers: {
          ...requestId,
          'content-type': 'application/json',
          'x-amzn-errortype': code,
          // The rest of the body is not read.
          connection: 'close',
          ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
        },
      }
    }
  }
}

function messageIdIn(url: string): string | undefined {
  const [, segment] = /^\/messages\/([^/?]+)\/?(?:\?.*)?$/.exec(url) ?? []
  try {
    return segment && decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Returns the object that a request names. */
function referenceIn(body: Buffer): Pick<ObjectName, 'bucket' | 'key'> & { readonly version: unknown } {
  const read = jsonObject(body, 3)
  const content = isObject(read) ? read.content : undefined
  const reference = isObject(content) ? content.s3Reference : undefined
  const { bucket, key, objectVersion: version } = isObject(reference) ? reference : {}
  if (typeof bucket !== 'string' || bucket === '' || typeof key !== 'string' || key === '')
    throw new RefusedRequest(
      'ValidationException',
      'The body must be { "content": { "s3Reference": { "bucket": "…", "key": "…" } } }.',
    )
  return { bucket, key, version }
}

function notFound(id: string): RefusedRequest {
  return new RefusedRequest(
    'ResourceNotFoundException',
    `There is no mail with the id ${JSON.stringify(id)}, or it was deleted.`,
  )
}

function known(error: unknown, notice: (text: string) => void): RefusedRequest {
  if (error instanceof RefusedRequest) return error
  notice(`mail: the message API could not serve a request: ${String(error)}`)
  return new RefusedRequest('ServiceUnavailableException', 'The mail cannot be had at the moment.')
}
