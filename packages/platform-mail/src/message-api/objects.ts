import { createHash } from 'node:crypto'
import type { ControlAnswer, ControlApi, ControlRequest } from '@signalbox/platform-runtime'
import { apiClient, type ClientOperation } from './api-client.ts'
import { RefusedRequest } from './api-error.ts'
import type { ContentObjects, ObjectName } from './content-objects.ts'
import { objectContent, signedBody } from './object-body.ts'
import { requestBody } from './request-body.ts'

/** What the objects need of the platform. */
export interface ObjectsContext {
  readonly objects: ContentObjects
  /** The maximum number of bytes of an object. */
  readonly maxSize: number
  /** Returns whether a function decides on mail, so that its token is enough. */
  readonly isOfMail: (functionName: string) => boolean
  readonly notice: (text: string) => void
}

/** The operations by their methods. */
const operations: { readonly [method: string]: string } = {
  PUT: 'PutObject',
  GET: 'GetObject',
  HEAD: 'HeadObject',
  DELETE: 'DeleteObject',
}

const errors: ClientOperation['errors'] = {
  denied: 'AccessDenied',
  IncompleteSignature: 'AuthorizationHeaderMalformed',
  InvalidSignature: 'SignatureDoesNotMatch',
  MissingAuthenticationToken: 'AccessDenied',
  RequestExpired: 'AccessDenied',
  Throttled: 'SlowDown',
  UnrecognizedClient: 'InvalidAccessKeyId',
}
const bodyErrors = { tooLarge: 'EntityTooLarge', tooSlow: 'RequestTimeout', noMemory: 'SlowDown' } as const

/** The query parameter that only names the operation. */
const knownParameter = 'x-id'

/** The headers of requests whose effect the objects do not have. */
const unknownHeaders = ['x-amz-copy-source', 'if-match', 'if-none-match', 'x-amz-write-offset-bytes']

/**
 * Serves the operations of S3 with which clients send new content for a mail: `PUT`, `GET`, `HEAD` and `DELETE
 * /objects/{bucket}/{key}`. All other operations are refused: docs/decisions/mail.md#the-message-api.
 */
export function objectsApi(context: ObjectsContext): ControlApi['answer'] {
  const { objects, maxSize, isOfMail, notice } = context
  /** The bytes that the content coding may add: less than a hundred for each chunk of 8 KB. */
  const bodyLimit = maxSize + Math.ceil(maxSize / 64) + 16 * 1024

  const answer = async (control: ControlRequest): Promise<ControlAnswer> => {
    const { method = '', url = '', headers } = control.request
    const { bucket, key, query } = locationIn(url)
    const operation = Object.hasOwn(operations, method) ? operations[method] : undefined
    if (operation === undefined || [...query.keys()].some(name => name !== knownParameter))
      throw notImplemented()
    const unknown = unknownHeaders.find(name => headers[name] !== undefined)
    if (unknown !== undefined)
      throw new RefusedRequest('NotImplemented', `The header ${unknown} is not supported.`)
    const client = apiClient(control, {
      ...{ name: operation, service: 's3', right: 'change', isFor: isOfMail, errors },
      resource: `objects/${bucket}/${key}`,
    })
    const body = await requestBody(control, method === 'PUT' ? bodyLimit : 0, bodyErrors)
    const owner = client.authorize(signedBody(headers, body), body.length)
    const name: ObjectName = { owner, bucket, key }
    if (method === 'DELETE') {
      objects.remove(name)
      return { status: 204, body: '' }
    }
    if (method === 'PUT') {
      const bytes = objectContent(headers, body, client)
      if (bytes.length > maxSize)
        throw new RefusedRequest('EntityTooLarge', `A mail has at most ${maxSize} bytes.`)
      // The body's buffer can be larger than the object.
      if (!objects.put(name, Buffer.from(bytes)))
        throw new RefusedRequest('SlowDown', 'Too many objects wait to be used. Try again later.')
      return { status: 200, body: '', headers: { etag: etagOf(bytes) } }
    }
    const found = objects.get(name)
    if (found === undefined) throw new RefusedRequest('NoSuchKey', 'The specified key does not exist.')
    return {
      status: 200,
      body: found.bytes,
      headers: {
        'content-type': 'application/octet-stream',
        'last-modified': new Date(found.putAt).toUTCString(),
        etag: etagOf(found.bytes),
      },
    }
  }

  return control => answer(control).catch(error => errorAnswer(error, notice))
}

/** Returns the object that a URL names, path style. */
function locationIn(url: string) {
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? []
  const [, bucket, key] = /^\/objects\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (bucket === undefined || key === undefined) throw notImplemented()
  try {
    return {
      bucket: decodeURIComponent(bucket),
      key: decodeURIComponent(key),
      query: new URLSearchParams(query),
    }
  } catch {
    throw new RefusedRequest('InvalidRequest', 'The path is not percent-encoded.')
  }
}

function notImplemented(): RefusedRequest {
  return new RefusedRequest(
    'NotImplemented',
    'This is no object store: it keeps new content for mails, and has only PutObject, GetObject, HeadObject and DeleteObject on /objects/BUCKET/KEY.',
  )
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

function errorAnswer(error: unknown, notice: (text: string) => void): ControlAnswer {
  const { code, message, status, retryAfter } = known(error, notice)
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return {
    status,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>`,
    headers: {
      'content-type': 'application/xml',
      // The rest of the body is not read.
      connection: 'close',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
  }
}

function known(error: unknown, notice: (text: string) => void): RefusedRequest {
  if (error instanceof RefusedRequest) return error
  notice(`mail: an object could not be served: ${String(error)}`)
  return new RefusedRequest('SlowDown', 'The object cannot be had at the moment.')
}
