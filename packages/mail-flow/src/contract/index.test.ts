import { expect, it } from '@jest/globals'
import * as contract from './index.ts'

it('exports what both sides of the wire need', () => {
  expect(Object.keys(contract).sort()).toMatchInlineSnapshot(`
[
  "MailAction",
  "MailDecision",
  "MailEvent",
  "MailResponse",
  "actionKey",
  "actionTypes",
  "actionsMinimum",
  "addressKey",
  "decisionFields",
  "describedBy",
  "distinctRecipients",
  "envelopeFields",
  "eventSizeLimit",
  "firstRetryDelay",
  "flowDirections",
  "isAddress",
  "mailEventFields",
  "mailResponseFields",
  "mailVerdict",
  "outboundRecipientsLimit",
  "responseProblems",
  "responseSizeLimit",
  "responseTimeLimit",
  "retrySchedule",
  "ruleTimeOutLimit",
  "ruleTimeOutMinimum",
  "settle",
  "subjectLimit",
  "truncateEvent",
  "uniqueActionsLimit",
]
`)
})
