import { optional, refusals, route, wholeNumber } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { AcceptedMail, MailAction, MailboxMail, MailContent, MailToSend, OfferedMail } from './mail-port.ts'

/**
 * The routes of mail in the console's API. There are files, too: `source`, `html` and `attachments/{index}` below
 * `/mail/{id}` and `/mailboxes/{address}/{id}`.
 */
export const mailRoutes = {
  /**
   * Lists mails, newest first. `text` selects mails whose sender, recipient, subject or id contains it. `after` is
   * the id of the last mail on the previous page.
   */
  mails: route('GET', '/mail', {
    query: t.partial({ text: t.string, after: t.string, last: wholeNumber }),
    returns: { 200: t.readonlyArray(AcceptedMail), ...refusals },
  }),
  mail: route('GET', '/mail/{id}', {
    isLogged: true,
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
  mailbox: route('GET', '/mailboxes/{address}', {
    isLogged: true,
    returns: { 200: t.readonlyArray(MailboxMail) },
  }),
  mailboxMail: route('GET', '/mailboxes/{address}/{id}', {
    isLogged: true,
    returns: { 200: MailContent, ...refusals },
  }),
} as const
