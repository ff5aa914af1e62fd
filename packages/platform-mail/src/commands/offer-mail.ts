import { sentence } from '@signalbox/platform-runtime/command-line'
import type { AccessKey } from '@signalbox/platform-runtime/signature'
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer'

/** The server's answer to a mail. */
export interface Offered {
  /** The id of the mail. Undefined if all recipients were refused. */
  readonly id: string | undefined
  /**
   * The refused recipients with the server's replies. A refusal without a recipient applies to all recipients.
   */
  readonly refused: readonly { readonly recipient: string | undefined; readonly reply: string }[]
}

/**
 * Sends a mail to the mail server of a platform.
 * @param key authenticates the client of a platform with `access`
 * @throws Error when there is no mail server at the URL
 */
export async function offerMail(
  url: string,
  envelope: { readonly from: string; readonly to: string[] },
  content: Pick<SendMailOptions, 'raw' | 'from' | 'to' | 'subject' | 'text' | 'html'>,
  key?: AccessKey,
): Promise<Offered> {
  const { hostname, port } = new URL(url)
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    // A connection within this machine needs no TLS, and the certificate is for a different name.
    ignoreTLS: true,
    ...(key && { auth: { user: key.accessKeyId, pass: key.secretAccessKey } }),
  })
  try {
    const { response, rejectedErrors } = await transport.sendMail({
      ...content,
      envelope,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { id: /Stored as (\S+)/.exec(response)?.[1] ?? response, refused: refusals(rejectedErrors) }
  } catch (error) {
    const { message, response, rejectedErrors } = error as NodemailerError
    const refused = refusals(rejectedErrors)
    if (refused.length > 0) return { id: undefined, refused }
    if (response) return { id: undefined, refused: [{ recipient: undefined, reply: response }] }
    throw new Error(`The mail server at ${url} cannot be reached: ${sentence(message)}`, { cause: error })
  } finally {
    transport.close()
  }
}

function refusals(errors: readonly NodemailerError[] = []): Offered['refused'] {
  return errors.map(({ recipient, response, message }) => ({ recipient, reply: response ?? message }))
}
