import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer'

/** What came of a mail that was offered to a server. */
export interface Sent {
  /** The mail's id; undefined when it was not taken for anybody. */
  readonly id: string | undefined
  /** Who does not get it, and the server's words; without a recipient when it is all of them. */
  readonly refused: readonly { readonly recipient: string | undefined; readonly words: string }[]
}

/**
 * Offers a mail to the server of a box.
 * @throws Error when nobody answers there, or not as a mail server does
 */
export async function sendMail(
  url: string,
  envelope: { readonly from: string; readonly to: string[] },
  content: Pick<SendMailOptions, 'raw' | 'from' | 'to' | 'subject' | 'text'>,
): Promise<Sent> {
  const { hostname, port } = new URL(url)
  // Its certificate says nothing about this machine to itself.
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    ignoreTLS: true,
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
    if (response) return { id: undefined, refused: [{ recipient: undefined, words: response }] }
    throw new Error(`The mail server at ${url} cannot be reached: ${message}.`, { cause: error })
  } finally {
    transport.close()
  }
}

function refusals(errors: readonly NodemailerError[] = []): Sent['refused'] {
  return errors.map(({ recipient, response, message }) => ({ recipient, words: response ?? message }))
}
