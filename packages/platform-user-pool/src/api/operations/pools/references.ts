import type { Demand } from '@signalbox/platform-runtime/access'
import { addressOf, senderForm } from '../../../config/sender.ts'
import type { RequestedMfa, RequestedPool } from '../../../created-pools/created-pool.ts'
import { fromOf } from '../../../created-pools/settings.ts'
import { functionsOf } from '../../../created-pools/triggers.ts'
import type { Engine } from '../../../engine.ts'
import { invalidParameter } from '../../../users/attributes.ts'

/**
 * Returns the rights over other resources that the settings of a pool need. A pool calls its functions and sends mail to
 * any address that a user enters, so a right over pools is no right over functions and senders.
 * @param poolId undefined for a new pool
 */
export function poolReferences(
  engine: Engine,
  requested: RequestedPool,
  poolId: string | undefined,
): readonly Demand[] {
  const functions = functionsOf(requested.LambdaConfig)
  const from = fromOf(requested.EmailConfiguration)
  const senders = from === undefined && !hasOwnTexts(requested) ? [] : sendersOf(engine, from, poolId)
  return [
    ...functions.map(resource => ({ collection: 'functions', rights: ['invoke'], resource })),
    ...senders.map(submits),
  ]
}

/** Returns the rights that the texts of second factors need. */
export function factorReferences(
  engine: Engine,
  { EmailMfaConfiguration: { Message, Subject } = {} }: RequestedMfa,
  poolId: string,
): readonly Demand[] {
  const hasTexts = Message !== undefined || Subject !== undefined
  return hasTexts ? sendersOf(engine, undefined, poolId).map(submits) : []
}

function submits(resource: string): Demand {
  return { collection: 'mail', rights: ['submit'], resource }
}

/** Returns the addresses that would send the mails of a pool. There is no default without a mail server. */
function sendersOf(
  { mailer, createdPools }: Engine,
  from: string | undefined,
  poolId = '',
): readonly string[] {
  if (from !== undefined) return [addressOf(from)]
  const before = fromOf(createdPools.get(poolId)?.requested.EmailConfiguration)
  return [
    ...(mailer === undefined ? [] : [mailer.ownAddress.toLowerCase()]),
    ...(before === undefined ? [] : [addressOf(before)]),
  ]
}

/** Returns whether a request has texts for e-mail. */
function hasOwnTexts(requested: RequestedPool): boolean {
  const { VerificationMessageTemplate: template = {}, AdminCreateUserConfig } = requested
  const { InviteMessageTemplate: invitation = {} } = AdminCreateUserConfig ?? {}
  return [
    requested.EmailVerificationMessage,
    requested.EmailVerificationSubject,
    template.EmailMessage,
    template.EmailSubject,
    template.EmailMessageByLink,
    template.EmailSubjectByLink,
    invitation.EmailMessage,
    invitation.EmailSubject,
  ].some(text => text !== undefined)
}

/**
 * Refuses a sender that is not one address.
 * @throws UserPoolError
 */
export function refuseBadSender(requested: RequestedPool): void {
  const from = fromOf(requested.EmailConfiguration)
  if (from !== undefined && !senderForm.test(from))
    throw invalidParameter(
      'EmailConfiguration.From must be an address such as staff@example.com or Staff <staff@example.com>.',
    )
}
