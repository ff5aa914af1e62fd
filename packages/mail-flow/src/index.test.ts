import { expect, it } from '@jest/globals'
import * as mailFlow from './index.ts'

it('the package exports what authors of mail-flow functions need', () => {
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
