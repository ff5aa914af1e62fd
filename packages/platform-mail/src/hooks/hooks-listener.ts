import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Meter, Random } from '@signalbox/platform-runtime'
import { type HttpListener, httpListener, requestCounts } from '@signalbox/platform-runtime/listener'
import type { Intake } from '../api/data/intake.ts'
import type { Reply } from '../api/reply.ts'
import type { HooksSettings, MailSettings } from '../config/mail-settings.ts'
import { trustedClients } from '../config/trusted-clients.ts'
import { clientFacts } from '../filter/client-facts.ts'
import { directionFor } from '../filter/direction.ts'
import { type FilterContext, filterAnswers, undecided } from '../filter/filter-answers.ts'
import { type FilteredMail, recipientList } from '../filter/filtered-mail.ts'
import { flagSummary } from '../message/spam-flag.ts'
import { bearerSecret } from './bearer-secret.ts'
import { type AskedMail, type BodyHook, type Hook, type HookAnswer, MalformedRequest } from './hook.ts'
import { type HooksBounds, hooksBounds } from './hooks-bounds.ts'
import { mtaHook } from './mta-hooks.ts'
import { mtaHooksRegistration } from './mta-hooks-registration.ts'
import { rspamdHook } from './rspamd-hook.ts'
import { stalwartHook } from './stalwart-hook.ts'

/** The parts of the listener that are not settings. */
export interface HooksListenerContext extends FilterContext {
  readonly random: Random
  readonly newIntake: (limit?: number) => Intake
  readonly meter?: Meter
}

const explanation = 'Mail servers ask here about their mail, over HTTP/1.1.'

/** Returns a listener for mail servers that ask over HTTP: docs/hooks.md. */
export function hooksListener(
  settings: MailSettings & { readonly hooks: HooksSettings },
  context: HooksListenerContext,
  bounds: HooksBounds = hooksBounds,
): HttpListener {
  const { clock, notice, random, newIntake, meter } = context
  const { maxSize, maxConnections, mixed, hooks } = settings
  const { port, host, tls, junkSubaddress } = hooks
  const isAuthorized = bearerSecret(hooks.secret)
  const isOwnAddress = trustedClients(hooks.outboundClients)
  const answers = (subaddress: string | undefined) =>
    filterAnswers({ mixed, junkSubaddress: subaddress }, context, 'a hook', bounds.decision)
  // A subaddress is another recipient.
  const [decide, decideOnly] = [answers(junkSubaddress), answers(undefined)]
  const terms = { clock, random, maxSize, timeout: bounds.decision }
  const table: readonly Hook[] = [stalwartHook, rspamdHook, mtaHook, ...mtaHooksRegistration(terms)]
  /** The number of requests without an answer that have the secret and a body. */
  let asking = 0

  /** Returns a mail with its directions and facts, or the reply that refuses it. */
  const filtered = (
    { mail, contentProblem }: Pick<AskedMail, 'mail' | 'contentProblem'>,
    intake: Intake,
  ): FilteredMail<number> | Reply => {
    intake.add(mail.raw)
    const { client, from, utf8 } = mail
    const isOwnClient = Boolean(client.user) || isOwnAddress(client.address ?? '')
    const list = recipientList<number>(settings, () => false)
    for (const [at, address] of mail.to.entries())
      list.add(
        { address, direction: directionFor(address, { isOwnClient, mailer: undefined }, settings) },
        at,
      )
    return (
      list.refusal() ??
      intake.refusal() ?? {
        ...{ from, utf8, facts: clientFacts(client), recipients: list.recipients() },
        ...{
          raw: intake.take(Buffer.alloc(0)),
          changes: { contentProblem },
          spamFlags: flagSummary(mail.raw),
        },
      }
    )
  }

  const answerTo = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<HookAnswer | undefined> => {
    const path = request.url?.split('?')[0] ?? ''
    const here = table.filter(each => each.path.test(path))
    const hook = here.find(({ method }) => method === request.method)
    const { fail } = hook ?? here[0] ?? stalwartHook
    if (request.headersDistinct.host?.length !== 1) return fail(400, 'Invalid Host header.')
    const isPublic = hook?.method !== 'POST' && hook?.isPublic === true
    if (!isPublic && !isAuthorized(request.headers.authorization)) return unauthorized(fail)
    if (here.length === 0) return fail(404, 'There is nothing at this path.')
    if (hook === undefined)
      return { ...fail(405, 'Another method.'), headers: { allow: here.map(each => each.method).join(', ') } }
    const names = hook.path.exec(path)?.groups ?? {}
    if (hook.method !== 'POST') return hook.answer(names)
    if (asking >= maxConnections) return hook.refuse(tooManyMails)
    asking++
    response.once('close', () => asking--)
    const problem = mediaProblem(request, hook)
    if (problem !== undefined) return fail(415, problem)
    // Characters of JSON and of base64 take up to three bytes for a byte of the mail.
    const body = newIntake(hook.mediaType === undefined ? maxSize : 3 * maxSize + bounds.around)
    const intake = newIntake()
    let isAsked = false
    try {
      const end = await received(request, body)
      if (end === 'aborted') return undefined
      const refusal = body.refusal()
      if (refusal !== undefined) return hook.refuse(refusal)
      const read = hook.read({
        ...{ names, headers: request.headers, distinct: request.headersDistinct },
        body: body.take(Buffer.alloc(0)),
      })
      if (!('mail' in read)) return read
      body.release()
      const mail = filtered(read, intake)
      if ('code' in mail) return hook.refuse(mail)
      isAsked = true
      return await (hook.changesRecipients === true ? decide : decideOnly)(mail, read.say, intake.release)
    } catch (error) {
      if (error instanceof MalformedRequest) return fail(400, error.message)
      notice(`mail: a hook failed: ${error instanceof Error ? error.message : String(error)}`)
      return hook.refuse(undecided)
    } finally {
      body.release()
      // The memory of a mail is in use until its functions have ended, even if the mail server had its answer before.
      if (!isAsked) intake.release()
    }
  }

  return httpListener(
    { what: 'The listener for hooks', key: 'mail.hooks.port', port, host, tls },
    {
      ...{ answersHalfClosed: true, explanation, clock },
      count: requestCounts(meter, 'hooks'),
      throttle: (_request, response) => void response.writeHead(429).end(),
    },
    { clock, notice },
    async (request, response) => {
      const answer = await answerTo(request, response)
      if (answer !== undefined) send(request, response, answer)
    },
  )
}

const tooManyMails: Reply = { code: 452, text: '4.3.1 Too many mails in transfer, try again later' }

function unauthorized(fail: Hook['fail']): HookAnswer {
  return {
    ...fail(401, 'The secret of mail.hooks is missing or wrong.'),
    headers: { 'www-authenticate': 'Bearer, Basic realm="mail"' },
  }
}

/** Returns why a hook does not read the body of a request, or undefined if it does. */
function mediaProblem({ headers }: IncomingMessage, { mediaType }: BodyHook): string | undefined {
  if (headers['content-encoding'] !== undefined) return 'The body is compressed. Send it as it is.'
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  return mediaType === undefined || type.trim().toLowerCase() === mediaType
    ? undefined
    : `The body is not ${mediaType}.`
}

/**
 * Receives a body. Bytes above the limit are read and forgotten, so that the client reads the answer, until there are so
 * many that the rest is cut off.
 */
function received(request: IncomingMessage, intake: Intake): Promise<'whole' | 'cut' | 'aborted'> {
  return new Promise(resolve => {
    request.on('data', chunk => {
      if (intake.add(chunk) !== undefined) resolve('cut')
    })
    request.on('end', () => resolve('whole'))
    request.on('close', () => resolve('aborted'))
  })
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HookAnswer,
): void {
  if (response.destroyed) return
  const text = body === undefined ? undefined : JSON.stringify(body)
  response.writeHead(status, {
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
    // The rest of a body that was not read ends with the connection.
    ...(!request.complete && { connection: 'close' }),
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(text)
  request.resume()
}
