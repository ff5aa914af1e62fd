import { expect, it } from '@jest/globals'
import * as contract from './index.ts'

it('@signalbox/mail-flow/contract exports exactly these names', () => {
  expect(Object.keys(contract).sort()).toMatchInlineSnapshot(`
[
  "AuthenticationResult",
  "MailAction",
  "MailAuthentication",
  "MailClient",
  "MailDecision",
  "MailEvent",
  "MailResponse",
  "actionKey",
  "actionTypes",
  "actionsMinimum",
  "addressKey",
  "authenticationFields",
  "authenticationResultFields",
  "clientFields",
  "decisionFields",
  "describedBy",
  "distinctRecipients",
  "encodeWordBytes",
  "envelopeFields",
  "eventSizeLimit",
  "firstRetryDelay",
  "flowDirections",
  "isAddress",
  "mailEventFields",
  "mailResponseFields",
  "mailVerdict",
  "outboundRecipientsLimit",
  "recipientVerdicts",
  "responseProblems",
  "responseSizeLimit",
  "responseTimeLimit",
  "resultWords",
  "retrySchedule",
  "ruleTimeOutLimit",
  "ruleTimeOutMinimum",
  "subjectLimit",
  "truncateEvent",
  "uniqueActionsLimit",
]
`)
})

it('codecs have the names that docs/contract/mail-flow.md uses', () => {
  const { decisionFields, envelopeFields, mailEventFields, mailResponseFields } = contract
  expect(
    [
      contract.MailEvent,
      contract.MailResponse,
      contract.MailDecision,
      contract.MailAction,
      mailEventFields.summaryVersion.codec,
      mailEventFields.envelope.codec,
      mailEventFields.sender.codec,
      mailEventFields.subject.codec,
      envelopeFields.recipients.codec,
      mailResponseFields.actions.codec,
      decisionFields.recipients.codec,
    ].map(({ name }) => name),
  ).toEqual([
    'mail-flow event',
    'mail-flow response',
    'decision',
    'action',
    'date-shaped text, such as 2019-07-28',
    'envelope',
    'object with an address',
    'text of at most 256 characters',
    'list of objects with an address',
    'list of at least 1 element',
    'list of addresses',
  ])
})
