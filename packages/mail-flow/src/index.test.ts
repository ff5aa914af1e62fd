import { expect, it } from '@jest/globals'
import * as mailFlow from './index.ts'

it('@signalbox/mail-flow exports exactly these names', () => {
  expect(Object.keys(mailFlow).sort()).toMatchInlineSnapshot(`
[
  "ConflictingActionsError",
  "DecisionTimeoutError",
  "InboundOnlyActionError",
  "InvalidAddressError",
  "InvalidBounceMessageError",
  "MailNotParsedError",
  "ResponseTooLargeError",
  "TooManyActionsError",
  "TooManyRecipientsError",
  "UnlistedRecipientError",
  "decideMail",
  "mailActions",
  "mailFlow",
  "mailFlowFamily",
  "mailFlowNormalizer",
  "mailFlowSerializer",
  "mailFlowValidator",
  "once",
  "parseMail",
]
`)
})
