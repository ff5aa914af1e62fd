import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import type { MessageOptions } from './mail.ts'

/** Options of `platformMessages`. Functions that the platform starts need none. */
export interface PlatformMessagesOptions {
  /** The URL of the platform's control address. Default: the environment variable `SIGNALBOX_CONTROL`. */
  readonly url?: string
  /** A key `ID.SECRET`, or the token of a function. Default: the variable `SIGNALBOX_CONTROL_TOKEN`. */
  readonly token?: string
}

const optionNames = ['url', 'token'] as const

/** The bucket of new contents. The platform needs none to be made. */
const bucket = 'changed-mails'

/**
 * Returns the options with which `mail.raw()` and `mail.replace()` use the message API of the platform that has called the
 * function: docs/contract/mail-flow.md#message-api. It needs no client, no key and no region. `messageApi` is for functions on
 * Amazon WorkMail.
 *
 * @throws InvalidOptionError for an unknown option, and, when a mail is read or changed, without the URL
 * @example
 * export const handler = signalbox(mailFlow(decide, platformMessages()))
 */
export function platformMessages(
  options: PlatformMessagesOptions = {},
): Required<Pick<MessageOptions, 'fetchMessage' | 'replaceMessage'>> {
  refuseUnknownOptions('platformMessages()', options, optionNames)
  const call = async (path: string, init: RequestInit): Promise<Response> => {
    // The platform sets the variables before the first event, and not before the module is loaded.
    const { url = process.env.SIGNALBOX_CONTROL, token = process.env.SIGNALBOX_CONTROL_TOKEN } = options
    if (!url)
      throw new InvalidOptionError(
        'platformMessages() needs the URL of the control address: the platform sets SIGNALBOX_CONTROL if it has one; elsewhere, give the option url.',
      )
    const response = await fetch(`${url}${path}`, {
      ...init,
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    })
    if (!response.ok)
      throw new Error(`${init.method} ${path}: ${response.status} ${(await response.text()).slice(0, 500)}`)
    return response
  }
  return {
    async fetchMessage(messageId, { signal }) {
      const response = await call(`/messages/${encodeURIComponent(messageId)}`, { method: 'GET', signal })
      return new Uint8Array(await response.arrayBuffer())
    },
    async replaceMessage(messageId, raw, { signal }) {
      // A retry, or another function, might change the same mail at the same time.
      const key = `${messageId}/${crypto.randomUUID()}`
      const path = key.split('/').map(encodeURIComponent).join('/')
      await call(`/objects/${bucket}/${path}`, {
        method: 'PUT',
        body: raw as Uint8Array<ArrayBuffer>,
        signal,
      })
      const body = JSON.stringify({ content: { s3Reference: { bucket, key } } })
      await call(`/messages/${encodeURIComponent(messageId)}`, { method: 'POST', body, signal })
    },
  }
}
