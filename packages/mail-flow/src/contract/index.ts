export { actionKey } from './action-key.ts'
export { addressKey, isAddress } from './address.ts'
export { encodeWordBytes } from './encoded-word-bytes.ts'
export { envelopeFields, flowDirections, MailEvent, mailEventFields } from './event.ts'
export {
  AuthenticationResult,
  authenticationFields,
  authenticationResultFields,
  clientFields,
  MailAuthentication,
  MailClient,
  resultWords,
} from './facts.ts'
export { type Described, describedBy, type Field, type Fields } from './fields.ts'
export {
  actionsMinimum,
  eventSizeLimit,
  firstRetryDelay,
  outboundRecipientsLimit,
  responseSizeLimit,
  responseTimeLimit,
  ruleTimeOutLimit,
  ruleTimeOutMinimum,
  subjectLimit,
  uniqueActionsLimit,
} from './limits.ts'
export {
  distinctRecipients,
  type RecipientVerdict,
  type RecipientVerdicts,
  recipientVerdicts,
} from './recipient-verdicts.ts'
export {
  type ActionName,
  type ActionType,
  actionTypes,
  decisionFields,
  MailAction,
  MailDecision,
  MailResponse,
  mailResponseFields,
} from './response.ts'
export { responseProblems } from './response-problems.ts'
export { type RetrySchedule, retrySchedule } from './retry-schedule.ts'
export { truncateEvent } from './truncate-event.ts'
export {
  type FallbackName,
  type MailVerdict,
  type MailVerdictOptions,
  mailVerdict,
} from './verdict.ts'
