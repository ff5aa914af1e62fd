export type {
  AuthenticationResult,
  MailAction,
  MailAuthentication,
  MailClient,
  MailDecision,
  MailEvent,
  MailResponse,
} from './contract/index.ts'
export { decideMail, type MailFlowResult } from './decision/decide-mail.ts'
export {
  ConflictingActionsError,
  DecisionTimeoutError,
  InboundOnlyActionError,
  InvalidAddressError,
  InvalidBounceMessageError,
  MailNotParsedError,
  ResponseTooLargeError,
  TooManyActionsError,
  TooManyRecipientsError,
  UnlistedRecipientError,
} from './errors.ts'
export { mailFlowFamily } from './family.ts'
export type { FetchMessage, Mail, MessageOptions, ReplaceMessage } from './mail/mail.ts'
export {
  type ParsedAddress,
  type ParsedAttachment,
  type ParsedMail,
  type ParseLimits,
  type ParseMailOptions,
  type ParseMessage,
  type PostalMimeParser,
  parseMail,
  type RawMail,
} from './mail/parse-mail.ts'
export { mailFlow, mailFlowNormalizer, mailFlowValidator } from './mail-flow.ts'
export type { BuiltResponse, MailActions } from './response/actions.ts'
export type { Overflow } from './response/built-response.ts'
export { type MailActionsOptions, mailActions } from './response/mail-actions.ts'
export { type Decision, type Once, type OnceOptions, once } from './response/once.ts'
export type { Answer, Decide, MailFlowOptions, Mode } from './response/options.ts'
export { mailFlowSerializer, type SerializerOptions } from './response/serializer.ts'
export type { ResponseWarning } from './response/warnings.ts'
