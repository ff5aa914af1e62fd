import { InvocationPage, refusals, route, wholeNumber } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { MessageToSend, QueueMessage, QueueState, RedriveTask } from './queue-port.ts'

/** The routes of queues in the console's API. */
export const queueRoutes = {
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
    isLogged: true,
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
} as const
