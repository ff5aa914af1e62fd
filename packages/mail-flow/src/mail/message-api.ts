import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import type { FetchMessage, MessageOptions, ReplaceMessage } from './mail.ts'

export { type PlatformMessagesOptions, platformMessages } from './platform-messages.ts'

interface CallOptions {
  readonly abortSignal?: AbortSignal
}

/** A client of the message API, such as `new WorkMailMessageFlow()` of `@aws-sdk/client-workmailmessageflow`. */
export interface MessageClient {
  getRawMessageContent(
    input: { readonly messageId: string },
    options?: CallOptions,
  ): Promise<{ readonly messageContent?: { transformToByteArray(): Promise<Uint8Array> } | undefined }>
  putRawMessageContent(
    input: {
      readonly messageId: string
      readonly content: { readonly s3Reference: { readonly bucket: string; readonly key: string } }
    },
    options?: CallOptions,
  ): Promise<unknown>
}

/** A client of objects, such as `new S3()` of `@aws-sdk/client-s3`. */
export interface ObjectClient {
  putObject(
    input: { readonly Bucket: string; readonly Key: string; readonly Body: string | Uint8Array },
    options?: CallOptions,
  ): Promise<unknown>
}

/** Options of `messageApi`. `objects` and `bucket` are needed to change mails. */
export interface MessageApiOptions {
  readonly messages: MessageClient
  readonly objects?: ObjectClient
  /** The bucket of new contents. The service must have the right to read it. */
  readonly bucket?: string
}

const optionNames = ['messages', 'objects', 'bucket'] as const

/**
 * Returns the options with which `mail.raw()` and `mail.replace()` use the message API of Amazon WorkMail Message Flow, which
 * the platform has too: docs/contract/mail-flow.md#message-api.
 *
 * @throws InvalidOptionError for an unknown option, a missing client, and `objects` without `bucket` or the reverse
 * @example
 * const api = messageApi({ messages: new WorkMailMessageFlow(), objects: new S3(), bucket: 'changed-mails' })
 * export const handler = signalbox(mailFlow(decide, { ...api }))
 */
export function messageApi(options: MessageApiOptions): MessageOptions {
  refuseUnknownOptions('messageApi()', options, optionNames)
  const { messages, objects, bucket } = options
  if (typeof messages?.getRawMessageContent !== 'function')
    throw new InvalidOptionError('messageApi() needs a client: messages: new WorkMailMessageFlow()')
  if (objects !== undefined && typeof objects.putObject !== 'function')
    throw new InvalidOptionError('messageApi(): objects expects a client such as new S3()')
  if ((objects === undefined) !== (bucket === undefined || bucket === ''))
    throw new InvalidOptionError('messageApi() needs objects and bucket together, to change mails')

  const fetchMessage: FetchMessage = async (messageId, { signal }) => {
    const { messageContent } = await messages.getRawMessageContent({ messageId }, { abortSignal: signal })
    return messageContent!.transformToByteArray()
  }
  if (objects === undefined || bucket === undefined) return { fetchMessage }
  const replaceMessage: ReplaceMessage = async (messageId, raw, { signal }) => {
    // A retry, or another function, might change the same mail at the same time.
    const key = `${messageId}/${crypto.randomUUID()}`
    const call = { abortSignal: signal }
    await objects.putObject({ Bucket: bucket, Key: key, Body: raw }, call)
    await messages.putRawMessageContent({ messageId, content: { s3Reference: { bucket, key } } }, call)
  }
  return { fetchMessage, replaceMessage }
}
