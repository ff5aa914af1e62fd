export type { BuiltResponse, MailActions } from './actions.ts'
export type { MailAction, MailDecision, MailEvent, MailResponse } from './contract/index.ts'
export { decideMail, type MailFlowResult } from './decide-mail.ts'
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
export type { FetchMessage, Mail, MessageOptions } from './mail.ts'
export { type MailActionsOptions, mailActions } from './mail-actions.ts'
export { mailFlow } from './mail-flow.ts'
export { mailFlowNormalizer } from './normalizer.ts'
export type { Note } from './notes.ts'
export { type Decision, type Once, type OnceOptions, once } from './once.ts'
export type { Answer, Decide, MailFlowOptions, Mode } from './options.ts'
export type { Overflow } from './overflow.ts'
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
} from './parse-mail.ts'
export { mailFlowSerializer, type SerializerOptions } from './serializer.ts'
export { mailFlowValidator } from './validator.ts'
