import {
  AcceptedMail,
  LoadBalancerState,
  MailAction,
  MailboxMail,
  MailContent,
  MailToSend,
  MessageToSend,
  OfferedMail,
  optional,
  PoolAccount,
  PoolAccountDetails,
  PoolMessage,
  PoolSignIn,
  PoolState,
  PoolUserAction,
  QueueMessage,
  QueueState,
  RedriveTask,
} from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { AccessLogEntry, AccessLogQuery } from './access-log.ts'
import { FunctionSeries, FunctionState, Span, Steps } from './functions.ts'
import {
  EventToSend,
  InvocationDetails,
  InvocationPage,
  InvocationQuery,
  InvocationResult,
} from './invocations.ts'
import { Overview, RequestToSend, Sample, SampleName, SentRequest } from './overview.ts'
import { SharingPlatform } from './platforms.ts'
import { wholeNumber } from './query-codecs.ts'
import { type ClientRoutes, route } from './route.ts'

/** The body of an error response. Its message says what was wrong and what was expected. */
const Refusal = t.readonly(t.type({ error: t.string }))

/**
 * The error responses: 400 for an invalid request, 404 if something does not exist, and 409 if a source refuses an
 * operation.
 */
const refusals = { 400: Refusal, 404: Refusal, 409: Refusal }

/**
 * Every route of the console's API, below `/console/api`. Changes use `POST` and `DELETE`, and need the header
 * `x-signalbox-console: 1`. A request without a session gets 401, and a request without the required right gets 403.
 * Path parameters are written with `toSegment`.
 *
 * The API also has `GET /live` (server-sent events, see `LiveEvents`), and the files `GET /mail/{id}/source`,
 * `GET /mail/{id}/attachments/{index}`, `GET /mailboxes/{address}/{id}/source` and
 * `GET /mailboxes/{address}/{id}/attachments/{index}`.
 */
export const api = {
  /** Opens a session for the token of a console link, or for an access key, and sets the session cookie. */
  openSession: route('POST', '/session', {
    body: t.union([t.strict({ token: t.string }), t.strict({ id: t.string, secret: t.string })]),
    returns: { 204: null, 403: Refusal, 429: Refusal },
  }),
  /** Returns the visitor's name, and whether the visitor has the right to make changes. */
  session: route('GET', '/session', {
    returns: {
      200: t.readonly(t.type({ name: t.string, mayAct: t.boolean })),
      401: t.readonly(t.type({ error: t.string, takesKeys: t.boolean })),
      403: Refusal,
    },
  }),
  closeSession: route('DELETE', '/session', { returns: { 204: null } }),

  overview: route('GET', '/overview', { returns: { 200: Overview } }),

  invocations: route('GET', '/invocations', {
    query: InvocationQuery,
    returns: { 200: InvocationPage, 400: Refusal },
  }),
  invocation: route('GET', '/invocations/{id}', { returns: { 200: InvocationDetails, ...refusals } }),
  invoke: route('POST', '/invocations', {
    body: EventToSend,
    returns: { 200: InvocationResult, ...refusals },
  }),

  functions: route('GET', '/functions', {
    query: Span,
    returns: { 200: t.readonlyArray(FunctionState), 400: Refusal },
  }),
  functionSeries: route('GET', '/functions/{name}/series', {
    query: Steps,
    returns: { 200: FunctionSeries, ...refusals },
  }),

  queues: route('GET', '/queues', { returns: { 200: t.readonlyArray(QueueState) } }),
  queue: route('GET', '/queues/{name}', { returns: { 200: QueueState, ...refusals } }),
  /**
   * Returns up to 600 past states of a queue, oldest first. There is one for each second in which a visitor was
   * connected.
   */
  queueHistory: route('GET', '/queues/{name}/history', {
    returns: {
      200: t.readonlyArray(t.readonly(t.type({ at: t.number, state: QueueState }))),
      ...refusals,
    },
  }),
  /** Lists messages, oldest first. */
  queueMessages: route('GET', '/queues/{name}/messages', {
    query: t.partial({ after: wholeNumber, last: wholeNumber }),
    returns: { 200: t.readonlyArray(QueueMessage), ...refusals },
  }),
  /**
   * Lists the invocations whose events contain the message with this id, newest first. They show why the
   * message failed.
   */
  messageInvocations: route('GET', '/messages/{id}/invocations', {
    returns: { 200: InvocationPage, ...refusals },
  }),
  sendMessage: route('POST', '/queues/{name}/messages', {
    body: MessageToSend,
    returns: { 200: t.readonly(t.type({ messageId: t.string })), ...refusals },
  }),
  /** Sends a changed message to the source queue of a dead letter, and deletes the dead letter. */
  resendMessage: route('POST', '/queues/{name}/messages/{position}/resend', {
    body: MessageToSend,
    returns: { 200: t.readonly(t.type({ messageId: t.string })), ...refusals },
  }),
  /** Deletes all messages. `confirm` must repeat the name of the queue. */
  purgeQueue: route('POST', '/queues/{name}/purge', {
    body: t.type({ confirm: t.string }),
    returns: { 204: null, ...refusals },
  }),
  /** Lists move tasks, latest first. */
  redrives: route('GET', '/queues/{name}/redrives', {
    returns: { 200: t.readonlyArray(RedriveTask), ...refusals },
  }),
  startRedrive: route('POST', '/queues/{name}/redrives', {
    body: t.partial({ perSecond: t.number }),
    returns: { 200: t.readonly(t.type({ task: t.string })), ...refusals },
  }),
  stopRedrive: route('DELETE', '/queues/{name}/redrives/{task}', {
    returns: { 200: t.readonly(t.type({ moved: t.number })), ...refusals },
  }),

  /**
   * Lists mails, newest first. `text` selects mails whose sender, recipient, subject or id contains it. `after` is
   * the id of the last mail on the previous page.
   */
  mails: route('GET', '/mail', {
    query: t.partial({ text: t.string, after: t.string, last: wholeNumber }),
    returns: { 200: t.readonlyArray(AcceptedMail), ...refusals },
  }),
  mail: route('GET', '/mail/{id}', {
    returns: { 200: t.readonly(t.type({ mail: AcceptedMail, content: optional(MailContent) })), ...refusals },
  }),
  sendMail: route('POST', '/mail', { body: MailToSend, returns: { 200: OfferedMail, ...refusals } }),
  changeMail: route('POST', '/mail/{id}/actions', {
    body: t.type({ action: MailAction }),
    returns: { 204: null, ...refusals },
  }),
  mailboxes: route('GET', '/mailboxes', {
    returns: {
      200: t.readonlyArray(t.readonly(t.type({ address: t.string, inbox: t.number, junk: t.number }))),
    },
  }),
  mailbox: route('GET', '/mailboxes/{address}', { returns: { 200: t.readonlyArray(MailboxMail) } }),
  mailboxMail: route('GET', '/mailboxes/{address}/{id}', { returns: { 200: MailContent, ...refusals } }),

  pools: route('GET', '/pools', { returns: { 200: t.readonlyArray(PoolState) } }),
  users: route('GET', '/pools/{pool}/users', {
    query: t.partial({ search: t.string, after: t.string, last: wholeNumber }),
    returns: {
      200: t.readonly(t.type({ users: t.readonlyArray(PoolAccount), after: optional(t.string) })),
      ...refusals,
    },
  }),
  addUser: route('POST', '/pools/{pool}/users', {
    body: t.intersection([
      t.type({ name: t.string, password: t.string }),
      t.partial({ attributes: t.record(t.string, t.string) }),
    ]),
    returns: { 204: null, ...refusals },
  }),
  user: route('GET', '/pools/{pool}/users/{name}', { returns: { 200: PoolAccountDetails, ...refusals } }),
  changeUser: route('POST', '/pools/{pool}/users/{name}/actions', {
    body: t.type({ action: PoolUserAction }),
    returns: { 204: null, ...refusals },
  }),
  addToGroup: route('POST', '/pools/{pool}/users/{name}/groups', {
    body: t.type({ group: t.string }),
    returns: { 204: null, ...refusals },
  }),
  removeFromGroup: route('DELETE', '/pools/{pool}/users/{name}/groups/{group}', {
    returns: { 204: null, ...refusals },
  }),
  /** Lists the codes and messages of a pool, latest first. */
  poolMessages: route('GET', '/pools/{pool}/messages', {
    returns: { 200: t.readonlyArray(PoolMessage), ...refusals },
  }),
  /** Signs a user in. Default for `client`: the first client with a password flow. */
  signIn: route('POST', '/pools/{pool}/sign-in', {
    body: t.intersection([t.type({ name: t.string, password: t.string }), t.partial({ client: t.string })]),
    returns: { 200: PoolSignIn, ...refusals },
  }),

  /** Lists the access log, latest first. The list is empty if the platform has no access control. */
  accessLog: route('GET', '/access-log', {
    query: AccessLogQuery,
    returns: { 200: t.readonlyArray(AccessLogEntry), ...refusals },
  }),

  /** Lists the platforms that share the storage, oldest first. */
  platforms: route('GET', '/platforms', {
    returns: {
      200: t.readonly(t.type({ isShared: t.boolean, platforms: t.readonlyArray(SharingPlatform) })),
    },
  }),

  samples: route('GET', '/samples', { returns: { 200: t.readonlyArray(SampleName) } }),
  sample: route('GET', '/samples/{name}', { returns: { 200: Sample, ...refusals } }),
  loadBalancers: route('GET', '/load-balancers', { returns: { 200: t.readonlyArray(LoadBalancerState) } }),
  sendRequest: route('POST', '/load-balancers/{name}/requests', {
    body: RequestToSend,
    returns: { 200: SentRequest, ...refusals },
  }),
} as const

/**
 * The type of the routes, for a client:
 * `client<Api>({ baseUrl: '/console/api', headers: { 'x-signalbox-console': '1' } })`.
 */
export type Api = ClientRoutes<typeof api>
