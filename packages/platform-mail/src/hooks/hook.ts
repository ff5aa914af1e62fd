import type { IncomingHttpHeaders } from 'node:http'
import type { Reply } from '../api/reply.ts'
import type { StatedClient } from '../filter/client-facts.ts'
import type { Conclusion } from '../filter/conclusion.ts'

/** A request of a mail server, whose body has arrived. */
export interface HookRequest {
  /** What the pattern of the path has matched, such as the id of a registration. */
  readonly names: { readonly [name: string]: string }
  readonly headers: IncomingHttpHeaders
  /** The values of each header that the request has, by its name in lower case. */
  readonly distinct: { readonly [name: string]: readonly string[] | undefined }
  readonly body: Buffer
}

/** An answer over HTTP. */
export interface HookAnswer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  /** The JSON of the body. Without it, the answer has no body. */
  readonly body?: object
  /** Whether the mail server keeps the mail, or forgets it without telling its client. */
  readonly isAccepted: boolean
}

/** A mail as a mail server states it. */
export interface StatedMail {
  /** The address of the sender. Empty for the null sender. */
  readonly from: string
  /** The addresses of the recipients, in the order and with the spelling of the request. */
  readonly to: readonly string[]
  readonly utf8: boolean
  readonly client: StatedClient
  /** The whole mail. */
  readonly raw: Buffer
}

/** A mail about which a mail server asks, and how the conclusion is said. */
export interface AskedMail {
  readonly mail: StatedMail
  readonly say: (conclusion: Conclusion<number>) => HookAnswer
  /** Returns the reason why the mail server cannot be told a new content of the mail, as a sentence. */
  readonly contentProblem: (content: Buffer) => string | undefined
}

/** What every hook has. */
interface AnyHook {
  readonly path: RegExp
  /** Returns the answer to a request that cannot be served, with a status of HTTP. */
  readonly fail: (status: number, message: string) => HookAnswer
}

/** A hook whose requests are about no mail. Their bodies are not read, and the answers cost next to nothing. */
interface BodilessHook extends AnyHook {
  readonly method: 'GET' | 'DELETE'
  /** Whether it is for clients without the secret, too. Default: false. */
  readonly isPublic?: boolean
  readonly answer: (names: HookRequest['names']) => HookAnswer
}

/** A hook whose requests have a body. */
export interface BodyHook extends AnyHook {
  readonly method: 'POST'
  /** The media type of bodies. Undefined if any type will do. */
  readonly mediaType?: 'application/json'
  /** Whether its mail servers can deliver a mail to other recipients than their client has named. Default: false. */
  readonly changesRecipients?: boolean
  /**
   * Reads a request. Returns a mail, or the answer to a request that is about no mail.
   * @throws MalformedRequest for a request that breaks the protocol
   */
  readonly read: (request: HookRequest) => AskedMail | HookAnswer
  /** Returns the answer that makes the mail server give its client a reply. */
  readonly refuse: (reply: Reply) => HookAnswer
}

/** What mail servers ask for with one method and path of a protocol. */
export type Hook = BodilessHook | BodyHook

/** A request that breaks the protocol. The message is for its client. */
export class MalformedRequest extends Error {}
